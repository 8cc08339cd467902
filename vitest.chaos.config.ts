import { defineConfig } from 'vitest/config';

/**
 * Whether chaos sees (`npm run test:chaos`): protections of the product are taken out one by one, and its verdict must tell. Each case starts real
 * processes; too slow for `npm test`.
 */
export default defineConfig({
  resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] },
  ssr: { resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] } },
  test: {
    include: ['bench/**/*.chaos.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    pool: 'forks',
  },
});

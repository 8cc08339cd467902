import { defineConfig } from 'vitest/config';

/** The failure matrix (`npm run test:outages`): real processes whose dependencies are taken away; too slow for `npm test`. */
export default defineConfig({
  resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] },
  ssr: { resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] } },
  test: {
    include: ['libs/**/*.outages.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['libs/testing/servers/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
  },
});

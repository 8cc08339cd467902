import { defineConfig } from 'vitest/config';

/** Tests with the real clients of OpenStack (`npm run test:clients`); too slow for `npm test`. */
export default defineConfig({
  resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] },
  ssr: { resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] } },
  test: {
    include: ['libs/**/*.clients.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['libs/testing/servers/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
  },
});

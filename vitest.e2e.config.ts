import { defineConfig } from 'vitest/config';

/** The dashboard in a real browser against a real stack (`npm run test:e2e`). */
export default defineConfig({
  resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] },
  ssr: { resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] } },
  test: {
    include: ['libs/**/*.e2e.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['libs/testing/servers/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    pool: 'forks',
  },
});

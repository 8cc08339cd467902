import { defineConfig } from 'vitest/config';

/** Tests against the real OpenStack that the `OS_*` variables describe (`npm run test:openstack`); one file at a time. */
export default defineConfig({
  resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] },
  ssr: { resolve: { conditions: ['vigil-source', 'node', 'module', 'default'] } },
  test: {
    include: ['libs/**/*.openstack.test.ts', 'services/**/*.openstack.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    globalSetup: ['libs/testing/servers/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
  },
});

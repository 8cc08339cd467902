import { defineConfig } from 'vitest/config';

const conditions = ['vigil-source', 'node', 'module', 'default'];

/** The image (`npm run test:image`): built from the Dockerfile and run as docker-compose.yml says; needs a container engine. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['libs/**/*.image.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 600_000,
    hookTimeout: 2_400_000,
    expect: { poll: { timeout: 180_000, interval: 500 } },
    pool: 'forks',
    // The steps follow each other; after one that failed the others say nothing.
    bail: 1,
    // They tell what they measured.
    reporters: ['verbose'],
    silent: false,
  },
});

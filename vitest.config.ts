import { defineConfig } from 'vitest/config';
import { LongestFirstSequencer } from './libs/testing/longest-first-sequencer.ts';
import { SlowestFilesReporter } from './libs/testing/slowest-files-reporter.ts';

const conditions = ['vigil-source', 'node', 'module', 'default'];

/**
 * One runner for every kind of test. Sources are resolved through the `vigil-source` condition; processes and worker threads run
 * compiled code, which the global set-up brings in step with the sources.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Where the global set-up is loaded: without it that wants a build.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    include: [
      'libs/**/*.test.ts',
      'services/**/*.test.ts',
      'migrations/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    exclude: [
      '**/node_modules/**',
      'dist/**',
      '**/*.openstack.test.ts',
      '**/*.clients.test.ts',
      '**/*.outages.test.ts',
      '**/*.chaos.test.ts',
      '**/*.image.test.ts',
    ],
    globalSetup: ['libs/testing/servers/global-setup.ts'],
    setupFiles: ['libs/testing/measure-processor-time.ts', 'libs/testing/restore-environment.ts'],
    // Tests of a whole stack or in a browser need this on a busy machine only.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of one second is less than a busy machine may stand still.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new SlowestFilesReporter()],
    pool: 'forks',
    // Files share the modules of their worker: loading them anew for each file took a third of the time. No module keeps state.
    isolate: false,
    // Many tests wait for processes and servers: more files than cores run at once.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirstSequencer },
  },
});

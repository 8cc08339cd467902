import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirstSequencer } from './tests/runner/longest-first-sequencer.ts';
import { SlowestFilesReporter } from './tests/runner/slowest-files-reporter.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const conditions = ['vigil-source', 'node', 'module', 'default'];
const roots = '{libs,services,migrations,examples,bench,tests}';
const globalSetup = ['tests/servers/global-setup.ts'];

/**
 * Kinds of files, by the word before `.test.ts`, that `npm test` leaves out: too slow for it, or in need of what not
 * everybody has.
 */
const kinds: Record<string, Options> = {
  // Whether chaos sees: protections of the product are taken out one by one, and its verdict must tell.
  chaos: { testTimeout: 300_000 },
  // The real clients of OpenStack.
  clients: { globalSetup },
  // The image, built from the Dockerfile and run as docker-compose.yml says.
  image: { testTimeout: 600_000, hookTimeout: 2_400_000, expect: { poll: { timeout: 180_000, interval: 500 } } },
  // Against the real OpenStack that the `OS_*` variables describe.
  openstack: { globalSetup, fileParallelism: false },
  // The failure matrix: real processes whose dependencies are taken away.
  outages: { globalSetup, testTimeout: 300_000 },
};

/**
 * A kind takes part in a run that names its files, such as `vitest run .outages.test.ts`. A folder alone does not start
 * them.
 */
function isAskedFor(kind: string): boolean {
  return process.argv.some((argument) => argument.includes(`.${kind}.test.ts`));
}

function project(name: string, options: Options): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...options } };
}

/**
 * One runner for every kind of test. Sources are resolved through the `vigil-source` condition. Processes and worker
 * threads run compiled code, which the global set-up brings in step with the sources.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Where the global set-up is loaded: without it that wants a build.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    exclude: ['**/node_modules/**', 'dist/**'],
    setupFiles: ['tests/runner/measure-processor-time.ts', 'tests/runner/restore-environment.ts'],
    // Tests of a whole stack or in a browser need this on a busy machine only.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of one second is less than a busy machine may stand still.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new SlowestFilesReporter()],
    pool: 'forks',
    // Many tests wait for processes and servers: more files than cores run at once.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      project('vigil', {
        include: [`${roots}/**/*.test.ts`],
        exclude: Object.keys(kinds).map((kind) => `**/*.${kind}.test.ts`),
        globalSetup,
        // Files share the modules of their worker: loading them anew for each file took a third of the time. No module
        // keeps state.
        isolate: false,
      }),
      ...Object.entries(kinds)
        .filter(([kind]) => isAskedFor(kind))
        .map(([kind, options]) => project(kind, { include: [`${roots}/**/*.${kind}.test.ts`], ...options })),
    ],
  },
});

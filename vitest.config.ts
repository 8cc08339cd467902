import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirstSequencer } from './tests/runner/longest-first-sequencer.ts';
import { RunReporter } from './tests/runner/run-reporter.ts';
import { fastWalks, kindsOf, type TestKindName, testKinds } from './tests/runner/test-kinds.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const conditions = ['vigil-source', 'node', 'module', 'default'];
const roots = '{libs,services,migrations,examples,bench,verify,tests}';
const globalSetup = ['tests/servers/global-setup.ts'];

/** Options of kinds with a separate command. */
const options: Partial<Record<TestKindName, Options>> = {
  chaos: { testTimeout: 300_000 },
  image: { testTimeout: 600_000, hookTimeout: 2_400_000, expect: { poll: { timeout: 180_000, interval: 500 } } },
  openstack: { globalSetup, fileParallelism: false },
  soak: { testTimeout: 900_000 },
  outages: { globalSetup, testTimeout: 300_000 },
};

const filesOf = (kind: TestKindName) => `${roots}/**/*.${kind}.test.ts`;
const plainFiles = `${roots}/**/!(${Object.keys(testKinds)
  .map((kind) => `*.${kind}`)
  .join('|')}).test.ts`;

/**
 * A kind with a command runs when its files are named, such as `vitest run .outages.test.ts`. A folder alone does not
 * start them.
 */
function isRequested(kind: TestKindName): boolean {
  return process.argv.some((argument) => argument.includes(`.${kind}.test.ts`));
}

function project(name: string, options: Options): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...options } };
}

// Files share the modules of their worker: loading them again for each file took a third of the time. No module keeps
// state.
const stage = { globalSetup, isolate: false };

/**
 * One runner for every kind of test. Sources are resolved through the `vigil-source` condition. Processes and worker
 * threads run compiled code, which the global setup compiles for the files that declare the need.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Loads the global setup from sources. Without these conditions, its imports need a build.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    exclude: ['**/node_modules/**', 'dist/**'],
    setupFiles: ['measure-processor-time', 'give-declared-needs', 'restore-environment'].map(
      (name) => `tests/runner/${name}.ts`,
    ),
    // Tests of a whole stack or in a browser need this on a busy machine only.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A busy machine can stall for longer than the default of one second.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new RunReporter()],
    pool: 'forks',
    // Many tests wait for processes and servers, so more files than cores run in parallel.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      project('fast', { include: [plainFiles, ...kindsOf('fast').map(filesOf), ...fastWalks], ...stage }),
      project('rest', { include: kindsOf('rest').map(filesOf), exclude: fastWalks, ...stage }),
      ...kindsOf('command')
        .filter(isRequested)
        .map((kind) => project(kind, { include: [filesOf(kind)], ...options[kind] })),
    ],
  },
});

import type { TestServerName } from '../servers/test-server.ts';

/**
 * Built parts that a test file can need besides servers: the compiled sources in `dist`, the `vigil` command as a
 * bundle, and the built dashboard. The last two include the first.
 */
export const builtParts = ['build', 'program', 'dashboard'] as const;
export type TestNeed = TestServerName | (typeof builtParts)[number];

/** `fast` and `rest` are the stages of `npm run test:all`. A file with `command` runs only when its kind is named. */
export type TestStage = 'fast' | 'rest' | 'command';

export interface TestKind {
  stage: TestStage;
  /** Needs of every file of the kind. A file declares further ones in a line `// @needs influxdb, build` at its top. */
  needs: readonly TestNeed[];
}

/** Kinds of test files by the word before `.test.ts`. A file without such a word, or with another one, is plain. */
export const testKinds = {
  broker: { stage: 'rest', needs: ['postgres', 'rabbitmq', 'program'] },
  chaos: { stage: 'command', needs: [] },
  clients: { stage: 'rest', needs: ['postgres', 'program', 'pythonClients'] },
  contract: { stage: 'fast', needs: ['postgres', 'rabbitmq'] },
  db: { stage: 'fast', needs: ['postgres'] },
  e2e: { stage: 'rest', needs: ['postgres', 'chromium', 'program', 'dashboard'] },
  image: { stage: 'command', needs: [] },
  // Deeper runs of plain and database tests, such as more seeds, and tests that start programs many times.
  long: { stage: 'rest', needs: ['postgres', 'build'] },
  openstack: { stage: 'command', needs: [] },
  outages: { stage: 'command', needs: ['postgres', 'rabbitmq', 'influxdb', 'program'] },
  simulator: { stage: 'fast', needs: ['program'] },
  soak: { stage: 'command', needs: [] },
  system: { stage: 'rest', needs: ['postgres', 'rabbitmq', 'influxdb', 'memcached', 'program', 'dashboard'] },
} as const satisfies Record<string, TestKind>;

export type TestKindName = keyof typeof testKinds;

const plain: TestKind = { stage: 'fast', needs: [] };

/** The one loop through separate processes, and the one walk through the dashboard, that the fast stage includes. */
export const fastWalks = ['tests/system/loop.system.test.ts', 'tests/browser/walk.e2e.test.ts'];

/** Names of the kinds of a stage. */
export function kindsOf(stage: TestStage): TestKindName[] {
  const names = Object.keys(testKinds) as TestKindName[];
  return names.filter((name) => testKinds[name].stage === stage);
}

/** The kind of a test file, from its name. */
export function kindOf(file: string): TestKind {
  const [, word = ''] = /\.([a-z\d]+)\.test\.ts$/.exec(file) ?? [];
  return Object.hasOwn(testKinds, word) ? testKinds[word as TestKindName] : plain;
}

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfiguredPlugins, type PluginKind, type PluginRegistry } from '#libs/plugin-kit';
import { findOtherWriterWithin } from '#libs/service-kit';
import { builtInPlugins } from './built-in-plugins.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-plugins-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function plugin(name: string, text: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'index.mjs'), text);
  return join(folder, name);
}

/** Time enough for a machine that stands still for a while. */
const lenient = { strict: false, verify: true, findOtherWriter: findOtherWriterWithin, timeLimitMs: 60_000 };
const exporting = (plugin: string) => `export const plugins = [${plugin}];`;

const strategy = (name: string, goal = 'dummy', changes = '') => `{
  manifest: { kind: 'strategy', name: '${name}', displayName: 'S', goal: '${goal}', description: 'd',
    parameters: { type: 'object', properties: {} }, metrics: [], models: ['compute'], planner: 'resource',
    needsCompleteModel: false, ${changes} },
  run: async () => { throw new Error('not run here'); },
}`;
const goal = (name: string, indicators = '[]') =>
  `{ kind: 'goal', name: '${name}', displayName: 'Own', indicators: ${indicators}, globalEfficacy: () => [] }`;
const action = (name: string, schema: string) => `{
  kind: 'action', name: '${name}', description: 'd', schema: ${schema}, revertible: 'exact', abortable: false,
  timeoutMs: () => 1000, occupies: () => [], preCondition: async () => ({ go: true }), execute: async () => true,
  postCondition: async () => undefined, probe: async () => 'not_started', waitFor: async () => true,
  revert: async () => true, abort: async () => false,
}`;
const engine = (name: string, rest = "metainfo: '', calculateScore: (text) => text") =>
  `{ kind: 'scoring_engine', name: '${name}', description: 'd', ${rest} }`;
const container = (name: string, engines: string) =>
  `{ kind: 'scoring_container', name: '${name}', description: 'd', engines: () => ${engines} }`;

interface KindCase {
  kind: PluginKind;
  works: string;
  /** Its entry in the registry. */
  readOf: (registry: PluginRegistry) => unknown;
  /** Two plugins with one name. */
  again: string;
  malformed: [plugin: string, reason: RegExp];
}

const kinds: KindCase[] = [
  {
    kind: 'goal',
    works: goal('own_goal'),
    readOf: (registry) => registry.goal('own_goal').displayName,
    again: goal('dummy'),
    malformed: [
      goal('bad', "[{ name: 'x', description: 'd', unit: null, required: true, schema: { type: 7 } }]"),
      /schema of indicator x is not a JSON Schema/,
    ],
  },
  {
    kind: 'strategy',
    works: strategy('own_strategy'),
    readOf: (registry) => registry.source('strategy', 'own_strategy').exportName,
    again: strategy('basic'),
    malformed: [strategy('bad', 'dummy', "metrics: ['host_cpu_load']"), /manifest\.metrics\[0\]/],
  },
  {
    kind: 'planner',
    works: "{ kind: 'planner', name: 'own_planner', description: 'd', plan: () => [] }",
    readOf: (registry) => registry.planner('own_planner').description,
    again: "{ kind: 'planner', name: 'weight', description: 'd', plan: () => [] }",
    malformed: ["{ kind: 'planner', name: 'bad', description: 'd' }", /plan must be a function/],
  },
  {
    kind: 'action',
    works: action('own_action', "{ type: 'object' }"),
    readOf: (registry) => registry.action('own_action').revertible,
    again: action('migrate', "{ type: 'object' }"),
    malformed: [action('bad', "{ type: 'sometimes' }"), /schema is not a JSON Schema/],
  },
  {
    kind: 'scoring_engine',
    works: engine('own_engine'),
    readOf: (registry) =>
      registry
        .scoringEngines()
        .find(({ name }) => name === 'own_engine')
        ?.calculateScore('[1]'),
    again: engine('dummy_scorer'),
    malformed: [engine('bad', "metainfo: ''"), /calculateScore must be a function/],
  },
  {
    kind: 'scoring_container',
    works: container('own_container', `[${engine('contained')}]`),
    readOf: (registry) =>
      registry
        .scoringEngines()
        .find(({ name }) => name === 'contained')
        ?.calculateScore('[2]'),
    again: container('fresh', `[${engine('dummy_min_scorer')}]`),
    malformed: [container('bad', '[{}]'), /scoring engines only/],
  },
  {
    kind: 'data_source',
    works: "{ kind: 'data_source', name: 'own_source', description: 'd', open: () => ({}) }",
    readOf: (registry) => registry.dataSources().map(({ name }) => name),
    again: "{ kind: 'data_source', name: 'influxdb', description: 'd', open: () => ({}) }",
    malformed: ["{ kind: 'data_source', name: 'Bad Source', description: 'd', open: () => ({}) }", /name must match/],
  },
  {
    kind: 'collector',
    works: "{ kind: 'collector', name: 'storage', description: 'd', collect: ({ readCloud }) => readCloud() }",
    readOf: (registry) => [registry.collector('storage')?.description, registry.collector('compute')],
    again: "{ kind: 'collector', name: 'storage', description: 'another', collect: async () => ({}) }",
    malformed: [
      "{ kind: 'collector', name: 'network', description: 'd', collect: async () => ({}) }",
      /name must be one of "compute", "storage", "baremetal"/,
    ],
  },
];

const found: Record<PluginKind, unknown> = {
  goal: 'Own',
  strategy: 'plugins',
  planner: 'd',
  action: 'exact',
  scoring_engine: '[1]',
  scoring_container: '[2]',
  data_source: ['own_source'],
  collector: ['d', undefined],
};

describe.each(kinds)('a $kind', ({ kind, works, readOf, again, malformed }) => {
  test('is loaded, and broken ones of every sort are left out with the reason', async () => {
    const names = await Promise.all([
      plugin(`${kind}-works`, exporting(works)),
      plugin(`${kind}-throws`, `throw new Error('no licence'); ${exporting(works)}`),
      plugin(`${kind}-malformed`, exporting(malformed[0])),
      plugin(`${kind}-again`, exporting(again)),
      plugin(`${kind}-newer`, `export const kitVersion = 2; ${exporting(works)}`),
    ]);

    const { registry, faults } = await loadConfiguredPlugins(names, builtInPlugins(), lenient);

    expect(readOf(registry)).toEqual(found[kind]);
    expect(faults.map((fault) => fault.plugin)).toEqual(names.slice(1));
    expect(faults.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/cannot be loaded: no licence/),
      expect.stringMatching(malformed[1]),
      expect.stringMatching(/same name|built-in data source/),
      expect.stringMatching(/written to version 2 of the plugin kit, and this Vigil has version 1/),
    ]);
  });
});

test('the process continues, whichever fault a plugin has while it is loaded', async () => {
  const harmful: [string, string, RegExp][] = [
    ['waits', 'await new Promise(() => setInterval(() => {}, 1000));', /not loaded after 3 s/],
    ['never-resolves', 'await new Promise(() => {});', /^index\.mjs cannot be loaded: it never ends loading/],
    ['loops', 'for (;;);', /not loaded after 3 s/],
    ['exits', 'process.exit(3);', /: it ends its process while it is loaded \(exit code 3\)$/],
    ['exits-well', 'process.exit();', /: it ends its process while it is loaded \(exit code 0\)$/],
    [
      'rejects',
      "Promise.reject(new Error('left alone')); await new Promise(() => setTimeout(() => {}, 1e6));",
      /left alone/,
    ],
    [
      'syntax',
      'const a = 1;\nexport const plugins = [;',
      /^index\.mjs cannot be loaded: syntax error at index\.mjs:2:25: Unexpected token ';'$/,
    ],
    [
      'syntax-of-import',
      "import 'data:text/javascript,1';\nimport { nothing } from 'node:path';",
      /^index\.mjs cannot be loaded: syntax error at index\.mjs:2:10: The requested module .* named 'nothing'$/,
    ],
    ['json', "JSON.parse('{');", /^index\.mjs cannot be loaded: (?!syntax error)/],
    [
      'container-loops',
      exporting("{ kind: 'scoring_container', name: 'c', description: 'd', engines() { for (;;); } }"),
      /not loaded after 3 s/,
    ],
  ];
  const names = await Promise.all(harmful.map(([name, text]) => plugin(name, text)));
  const missing = join(folder, 'missing');
  const endless = names.filter((_, index) => String(harmful[index]?.[2]).includes('not loaded'));
  const others = names.filter((name) => !endless.includes(name));

  const [ended, left] = await Promise.all([
    loadConfiguredPlugins(endless, builtInPlugins(), { ...lenient, timeLimitMs: 3000 }),
    loadConfiguredPlugins([...others, missing], builtInPlugins(), lenient),
  ]);

  expect(ended.registry.loaded()).toEqual(builtInPlugins().loaded());
  expect(left.registry.loaded()).toEqual(builtInPlugins().loaded());
  const reasons = new Map([...ended.faults, ...left.faults].map(({ plugin: name, reason }) => [name, reason]));
  expect([...names, missing].map((name) => reasons.get(name))).toEqual([
    ...harmful.map(([, , reason]) => expect.stringMatching(reason)),
    expect.stringMatching(/no folder/),
  ]);
});

test('a plugin can stand before another plugin that it needs; a missing one is reported', async () => {
  const needs = await plugin('needs-goal', exporting(strategy('needy', 'late_goal')));
  const brings = await plugin('brings-goal', exporting(goal('late_goal')));

  const both = await loadConfiguredPlugins([needs, brings], builtInPlugins(), lenient);
  expect(both.faults).toEqual([]);
  expect(both.registry.strategy('needy').manifest.goal).toBe('late_goal');

  const alone = await loadConfiguredPlugins([needs], builtInPlugins(), lenient);
  expect(alone.faults).toEqual([{ plugin: needs, reason: expect.stringContaining('there is no such goal') }]);
});

test('strict: the first that is broken is refused', async () => {
  const good = await plugin('good', exporting(goal('good_goal')));
  const broken = await plugin('broken', 'export const plugins = [;');
  const malformed = await plugin('malformed', exporting(strategy('dummy')));

  for (const bad of [broken, malformed]) {
    const loading = loadConfiguredPlugins([good, bad], builtInPlugins(), { ...lenient, strict: true });
    await expect(loading).rejects.toThrow(bad);
  }
});

test('a plugin that other users can write is not loaded, and the reason names the remedy', async () => {
  const name = await plugin('planted', `globalThis.process.exit(3); ${exporting(goal('planted'))}`);
  const file = join(name, 'index.mjs');
  for (const path of [file, name]) {
    await chmod(path, 0o777);
    const { faults } = await loadConfiguredPlugins([name], builtInPlugins(), lenient);
    expect(faults).toEqual([
      {
        plugin: name,
        reason: expect.stringMatching(/^\S+ can be written by other users.*chmod/),
      },
    ]);
    await chmod(path, 0o755);
  }
});

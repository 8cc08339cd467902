// @needs build
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyLoad, encodeWorld, type WorldFile } from '#libs/world-file';
import { builtInPlugins } from '../built-in-plugins.ts';
import { type AssessmentOptions, assessStrategies, assessStrategy, type WorldChoice } from './assess-strategy.ts';
import type { AssessedProperty, StrategyAssessment } from './assessment.ts';
import { generatedDays } from './generated-days.ts';
import { type PluginParts, writePlugin } from './testing/write-plugin.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'vigil-assessment-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

/** Moves one instance of the fullest host to the emptiest one, as long as that makes the counts more equal. */
const spread = `
  const counts = Array.from({ length: hosts }, (_, host) => model.instancesOn(host).length);
  const full = counts.indexOf(Math.max(...counts));
  const rows = counts.map((_, host) => host).sort((a, b) => counts[a] - counts[b] || a - b);
  for (const instance of [...(hosts === 0 ? [] : model.instancesOn(full))].sort((a, b) => a - b))
    for (const host of rows)
      if (counts[full] - counts[host] > 1 && may(instance, host)) return [migrate(instance, host)];
  return [];`;

async function assess(
  name: string,
  parts: PluginParts,
  worlds: WorldChoice = { random: 3 },
  options: AssessmentOptions = { days: false },
): Promise<StrategyAssessment> {
  const folder = await writePlugin(parent, name, parts);
  const { strategies, good } = await assessStrategy(folder, worlds, options);
  expect(strategies).toHaveLength(1);
  expect(good).toBe(strategies[0]?.good);
  return strategies[0]!;
}

const brokenOf = ({ properties }: StrategyAssessment) =>
  properties.filter(({ verdict }) => verdict === 'broken').map(({ property }) => property);
const findingsOf = ({ properties }: StrategyAssessment, property: AssessedProperty) =>
  properties.find((one) => one.property === property)!.findings;

describe('assessStrategy', () => {
  it('finds no fault in a strategy that obeys the model', async () => {
    const assessment = await assess('spread', { propose: spread }, { random: 3 }, {});
    expect(brokenOf(assessment)).toEqual([]);
    expect(assessment).toMatchObject({ strategy: 'tried', good: true });
    expect(assessment.measures.actions).toBeGreaterThan(5);
    expect(assessment.properties.map(({ verdict }) => verdict)).toEqual(Array(5).fill('holds'));
    expect(assessment.measures.runs).toBeGreaterThan(assessment.measures.worlds);
  });

  const choice = (index: string) => `
    for (const instance of model.snapshot.instanceInfo.keys()) {
      const possible = Array.from({ length: hosts }, (_, host) => host).filter((host) => may(instance, host));
      if (possible.length > 1) return [migrate(instance, possible[(${index}) % possible.length])];
    }
    return [];`;

  it.each([
    ['chance', 'Math.floor(Math.random() * 1e6)', '', /same input/],
    ['counter', '(calls += 1)', 'let calls = 0;', /same input/],
    ['weekday', 'new Date().getUTCDay()', '', /clock of the machine/],
  ])('finds that a choice depends on %s', async (name, index, before, what) => {
    const assessment = await assess(name, { propose: choice(index), before }, { random: 5 });
    expect(brokenOf(assessment)).toEqual(['deterministic']);
    const [finding] = findingsOf(assessment, 'deterministic');
    expect(finding?.what).toMatch(what);
    expect(finding?.action).toMatch(/^migrate vm-\S+ from \S+ to \S+; then migrate/);
    expect(finding?.reproduce).toMatch(/^vigil plugin assess \S+chance|counter|weekday --strategy tried --seed \d+/);
  });

  it('finds that a choice depends on the order in which Nova lists server groups', async () => {
    const propose = `
      const [group] = model.snapshot.groups;
      const instance = model.snapshot.instanceInfo.findIndex((_, row) => model.immovable(row) === null);
      const host = Number.parseInt(group?.uuid.slice(-2) ?? '0', 16) % Math.max(1, hosts);
      return instance >= 0 && hosts > 0 && may(instance, host) ? [migrate(instance, host)] : [];`;
    const assessment = await assess('order', { propose }, { random: 12 });
    expect(brokenOf(assessment)).toEqual(['deterministic']);
    expect(findingsOf(assessment, 'deterministic')[0]?.what).toMatch(/order in which the cloud lists/);
  });

  it.each([
    ['endless', 'for (;;) instances;', /longer than its time limit of 1 s/],
    ['waiting', 'await new Promise(() => setInterval(() => {}, 1e6));', /longer than its time limit of 1 s/],
    ['hungry', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length));', /memory/],
    [
      'many',
      'return Array.from({ length: 5000 }, () => ({ actionType: "nop", inputParameters: { message: "x" },' +
        ' reason: { rule: "x", summary: "x", values: [], rejected: [] } }));',
      /5000 actions/,
    ],
  ])('ends a strategy that is %s', async (name, propose, what) => {
    const options = { timeLimitSeconds: name === 'hungry' ? 30 : 1, memoryMb: 64 };
    const assessment = await assess(name, { propose }, { random: 0 }, options);
    expect(brokenOf(assessment)).toEqual(['bounded']);
    expect(findingsOf(assessment, 'bounded').map((finding) => finding.what)).toEqual([expect.stringMatching(what)]);
  });

  it('finds moves that break rules, with the rule and the move', async () => {
    const propose = `
      const { group } = model.snapshot.instances;
      const actions = [];
      for (let instance = 0; instance < instances; instance += 1) {
        const mate = model.snapshot.groups[group[instance]]?.policy === 'anti-affinity'
          ? group.findIndex((other, row) => other === group[instance] && row !== instance) : -1;
        const host = mate < 0 ? -1 : model.hostOf[mate];
        if (host >= 0 && host !== model.hostOf[instance] && model.immovable(instance) === null)
          actions.push(migrate(instance, host));
      }
      return actions;`;
    const assessment = await assess('apart', { propose });
    expect(brokenOf(assessment)).toEqual(['constraints']);
    expect(findingsOf(assessment, 'constraints')).toContainEqual(
      expect.objectContaining({
        what: 'The strategy proposes migrate that is not possible; the model does not admit it: anti-affinity.',
        action: expect.stringMatching(/^migrate \S+ from \S+ to \S+$/),
        reproduce: expect.stringMatching(/--strategy tried --seed \d+ --worlds [01]$/),
      }),
    );
  });

  it.each([
    ['back and forth', 'choices.find((host) => host !== model.hostOf[instance])'],
    ['around', '(model.hostOf[instance] + 1) % hosts'],
  ])('finds that a strategy moves an instance %s', async (way, choice) => {
    const propose = `
      for (let instance = 0; instance < instances; instance += 1) {
        const choices = Array.from({ length: hosts }, (_, host) => host).filter((host) => may(instance, host));
        const host = ${choice};
        if (host !== undefined && choices.includes(host)) return [migrate(instance, host)];
      }
      return [];`;
    const assessment = await assess(`flap-${way.split(' ')[0]}`, { propose }, { random: 1 }, {});
    expect(brokenOf(assessment)).toEqual(['calm']);
    const [finding] = findingsOf(assessment, 'calm');
    expect(finding?.what).toMatch(/went back to a former host although nothing changed/);
    expect(finding?.action).toMatch(/^vm-\S+: compute-\d > compute-\d \(\d\d:\d\d\) > compute-\d \(/);
    expect(finding?.reproduce).toMatch(/--seed 1 --worlds 0$/);
    expect(assessment.days.map(({ day }) => day)).toEqual(['still day', 'day with seasons']);
  });

  it('finds moves of instances that the scope excludes or that rest', async () => {
    const propose = `
      const movable = [...model.snapshot.instanceInfo.keys()].filter(
        (row) => model.hostOf[row] >= 0 && /excluded|cooling/.test(model.immovable(row)));
      return hosts < 2 ? [] : movable.map((row) => migrate(row, (model.hostOf[row] + 1) % hosts));`;
    const found = findingsOf(await assess('everything', { propose }, { random: 12 }), 'constraints');
    expect(found.map(({ what }) => what)).toContainEqual(expect.stringMatching(/instance-(excluded|cooling-down)\.$/));
  });

  it.each([
    [
      'inputs',
      `return hosts < 2 ? [] : [migrate(placed, 1, { migration_type: 'warp' })];`,
      'constraints',
      /migration_type/,
    ],
    [
      'unknown',
      `return hosts < 2 ? [] : [{ ...migrate(placed, 1), actionType: 'migrat' }];`,
      'constraints',
      /did you mean/,
    ],
    ['empty', 'return model.snapshot.hostInfo[0].hostname ? [] : [];', 'robust', /undefined/],
    [
      'blind',
      `const cpu = await metrics.hosts('host_cpu_usage', { periodSeconds: 300, aggregate: 'mean' });
       if (hosts > 0 && cpu.every(Number.isNaN)) throw new TypeError('cannot sort nothing'); return [];`,
      'robust',
      /cannot sort nothing/,
    ],
  ] as const)('finds faults of a strategy: %s', async (name, propose, property, what) => {
    const assessment = await assess(`fault-${name}`, {
      propose: `  if (instances === 0 && '${name}' !== 'empty') return [];
      const placed = model.hostOf.findIndex((host) => host >= 0);
      ${propose}`,
    });
    expect(brokenOf(assessment)).toEqual([property]);
    expect(findingsOf(assessment, property)[0]?.what).toMatch(what);
  });

  it('lets a strategy refuse a run for the lack of a metric that it requires', async () => {
    const propose = `
      const cpu = await metrics.hosts('host_cpu_usage', { periodSeconds: 300, aggregate: 'mean' });
      if (cpu.every(Number.isNaN)) throw new Error('no value of host_cpu_usage');
      return [];`;
    const assessment = await assess('refusing', { propose, manifest: `metrics: ['host_cpu_usage'],` });
    expect(assessment).toMatchObject({ good: true, measures: { refusals: expect.any(Number) } });
    expect(assessment.measures.refusals).toBeGreaterThan(0);
  });

  it('finds a schema that accepts anything', async () => {
    const manifest = `parameters: { type: 'object', properties: { loose: {}, tight: { type: 'integer' } } },`;
    const assessment = await assess('lax', { propose: 'return [];', manifest }, { random: 0 });
    expect(findingsOf(assessment, 'constraints').map(({ what }) => what)).toEqual([
      'The schema of the parameter loose accepts any value.',
    ]);
  });

  it.each([
    ['syntax', 'export const plugins = [;', /syntax error at .*index\.js:1:/],
    ['none', 'export const kitVersion = 1;', /has no export "plugins"/],
    ['action', '', /exports no strategy/],
  ])('refuses a module that is unusable: %s', async (name, source, message) => {
    const folder = await writePlugin(parent, `unusable-${name}`, { propose: 'return [];' });
    const goal = `{ kind: 'goal', name: 'tried_goal', displayName: 'x', indicators: [], globalEfficacy: () => [] }`;
    await writeFile(join(folder, 'index.js'), source === '' ? `export const plugins = [${goal}];` : source);
    await expect(assessStrategy(folder)).rejects.toThrow(message);
  });

  it('assesses on a recording, and plays its last day', async () => {
    const [first, second] = generatedDays(3);
    const steps = 2 * first!.day.steps;
    const world: WorldFile = {
      ...second!.world,
      recording: { start: '2026-01-05T00:00:00.000Z', step_seconds: 300, steps, anonymised: true },
    };
    const sizes = { servers: world.servers.length, hosts: world.hosts.length };
    const load = emptyLoad(sizes, { startMs: Date.UTC(2026, 0, 5), stepSeconds: 300, steps });
    for (const column of Object.values(load.columns)) column.fill(40);
    const file = join(parent, 'two-days.world');
    await writeFile(file, encodeWorld(world, load));
    const propose = 'return [0, 1].flatMap((row) => (hosts > 7 ? [migrate(row, (model.hostOf[row] + 1) % 8)] : []));';
    const assessment = await assess('recorded', { propose }, { random: 0, files: [file] }, {});
    expect(assessment.days.map(({ day, audits }) => [day, audits])).toContainEqual([`day of ${file}`, 24]);
    const folder = await writePlugin(parent, 'bundled', { propose: 'return [];' });
    await expect(assessStrategy(folder, { files: ['azure2017-40'] })).rejects.toThrow(/no recorded load; vigil world/);
  });

  it('refuses unknown strategies, wrong parameters and worlds that cannot be read', async () => {
    const folder = await writePlugin(parent, 'refused', { propose: 'return [];' });
    await expect(assessStrategy(folder, {}, { strategy: 'treid' })).rejects.toThrow(/did you mean tried\?/);
    await expect(assessStrategy(folder, {}, { parameters: { most: 1 } })).rejects.toThrow(/most.*not a parameter/);
    await expect(assessStrategy(folder, { files: ['no.world'] })).rejects.toThrow(/no\.world: no such file/);
    await expect(assessStrategy(join(parent, 'nothing'))).rejects.toThrow(/there is no folder/);
  });

  it.each(['basic', 'workload_balance', 'vm_workload_consolidation'])('finds no fault in %s', async (name) => {
    const registry = builtInPlugins();
    const { strategies } = await assessStrategies(registry, [registry.strategy(name)], {
      ...{ plugin: 'vigil', worlds: { random: 5, seed: 40 }, options: {} },
    });
    expect(strategies.flatMap(({ properties }) => properties.flatMap(({ findings }) => findings))).toEqual([]);
  });
});

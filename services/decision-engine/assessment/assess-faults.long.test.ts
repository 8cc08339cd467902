// The other faults of each kind: assess-strategy.test.ts has one of each.
import { describe, expect, it } from 'vitest';
import { brokenOf, findingsOf, usePluginAssessor } from './testing/assess-plugin.ts';

const { assess } = usePluginAssessor();

describe('assessStrategy', () => {
  const choice = (index: string) => `
    for (const instance of model.snapshot.instanceInfo.keys()) {
      const possible = Array.from({ length: hosts }, (_, host) => host).filter((host) => may(instance, host));
      if (possible.length > 1) return [migrate(instance, possible[(${index}) % possible.length])];
    }
    return [];`;

  it.each([
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
    ['waiting', 'await new Promise(() => setInterval(() => {}, 1e6));', /longer than its time limit of 1 s/],
    ['hungry', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length));', /memory/],
    [
      'many',
      'return Array.from({ length: 5000 }, () => ({ actionType: "nop", inputParameters: { message: "x" },' +
        ' reason: { rule: "x", summary: "x", values: [], rejected: [] } }));',
      /5000 actions/,
    ],
  ])('ends a strategy that is %s', async (name, propose, what) => {
    const options = { timeLimitSeconds: name === 'hungry' || name === 'many' ? 30 : 1, memoryMb: 64 };
    const assessment = await assess(name, { propose }, { random: 0 }, options);
    expect(brokenOf(assessment)).toEqual(['bounded']);
    expect(findingsOf(assessment, 'bounded').map((finding) => finding.what)).toEqual([expect.stringMatching(what)]);
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
});

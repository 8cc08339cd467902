// @needs build
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assessStrategy } from './assess-strategy.ts';
import { brokenOf, findingsOf, usePluginAssessor } from './testing/assess-plugin.ts';
import { writePlugin } from './testing/write-plugin.ts';

const { folder: parentFolder, assess } = usePluginAssessor();

describe('assessStrategy', () => {
  const choice = (index: string) => `
    for (const instance of model.snapshot.instanceInfo.keys()) {
      const possible = Array.from({ length: hosts }, (_, host) => host).filter((host) => may(instance, host));
      if (possible.length > 1) return [migrate(instance, possible[(${index}) % possible.length])];
    }
    return [];`;

  it.each([
    // Two draws may be equal: then the run with another order shows the difference.
    ['chance', 'Math.floor(Math.random() * 1e6)', '', /same input|order in which/],
  ])('finds that a choice depends on %s', async (name, index, before, what) => {
    const assessment = await assess(name, { propose: choice(index), before }, { random: 5 });
    expect(brokenOf(assessment)).toEqual(['deterministic']);
    const [finding] = findingsOf(assessment, 'deterministic');
    expect(finding?.what).toMatch(what);
    expect(finding?.action).toMatch(/^migrate vm-\S+ from \S+ to \S+; then migrate/);
    expect(finding?.reproduce).toMatch(/^vigil plugin assess \S+chance|counter|weekday --strategy tried --seed \d+/);
  });

  it.each([['endless', 'for (;;) instances;', /longer than its time limit of 1 s/]])(
    'ends a strategy that is %s',
    async (name, propose, what) => {
      const options = { timeLimitSeconds: name === 'hungry' || name === 'many' ? 30 : 1, memoryMb: 64 };
      const assessment = await assess(name, { propose }, { random: 0 }, options);
      expect(brokenOf(assessment)).toEqual(['bounded']);
      expect(findingsOf(assessment, 'bounded').map((finding) => finding.what)).toEqual([expect.stringMatching(what)]);
    },
  );

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
    [
      'inputs',
      `return hosts < 2 ? [] : [migrate(placed, 1, { migration_type: 'warp' })];`,
      'constraints',
      /migration_type/,
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
    const folder = await writePlugin(parentFolder(), `unusable-${name}`, { propose: 'return [];' });
    const goal = `{ kind: 'goal', name: 'tried_goal', displayName: 'x', indicators: [], globalEfficacy: () => [] }`;
    await writeFile(join(folder, 'index.js'), source === '' ? `export const plugins = [${goal}];` : source);
    await expect(assessStrategy(folder)).rejects.toThrow(message);
  });

  it('refuses unknown strategies, wrong parameters and worlds that cannot be read', async () => {
    const folder = await writePlugin(parentFolder(), 'refused', { propose: 'return [];' });
    await expect(assessStrategy(folder, {}, { strategy: 'treid' })).rejects.toThrow(/did you mean tried\?/);
    await expect(assessStrategy(folder, {}, { parameters: { most: 1 } })).rejects.toThrow(/most.*not a parameter/);
    await expect(assessStrategy(folder, { files: ['no.world'] })).rejects.toThrow(/no\.world: no such file/);
    await expect(assessStrategy(join(parentFolder(), 'nothing'))).rejects.toThrow(/there is no folder/);
  });
});

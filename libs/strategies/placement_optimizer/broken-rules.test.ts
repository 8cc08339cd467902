import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { applyActions, createTestWorld, movesOf, runStrategy, type TestWorld } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../catalogue.ts';
import { placementOptimizerStrategy } from './strategy.ts';

const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname }));
const selected = { names: ['vm*'] };

const worlds: [string, string, TestWorld][] = [
  [
    'a hard anti-affinity group',
    'broken_groups',
    {
      hosts,
      groups: [{ name: 'g', policy: 'anti-affinity' }],
      instances: ['a', 'a'].map((host, row) => ({ name: `vm${row}`, host, group: 'g' })),
    },
  ],
  [
    'a hard affinity group',
    'broken_groups',
    {
      hosts,
      groups: [{ name: 'g', policy: 'affinity' }],
      instances: ['a', 'a', 'b'].map((host, row) => ({ name: `vm${row}`, host, group: 'g' })),
    },
  ],
  [
    'keep_apart',
    'broken_rules',
    {
      hosts,
      rules: [{ name: 'r', kind: 'keep_apart', isStrict: true, instances: selected }],
      instances: ['a', 'a'].map((host, row) => ({ name: `vm${row}`, host })),
    },
  ],
  [
    'keep_together',
    'broken_rules',
    {
      hosts,
      rules: [{ name: 'r', kind: 'keep_together', isStrict: true, instances: selected }],
      instances: ['a', 'a', 'b'].map((host, row) => ({ name: `vm${row}`, host })),
    },
  ],
  [
    'avoid_hosts',
    'broken_rules',
    {
      hosts,
      rules: [{ name: 'r', kind: 'avoid_hosts', isStrict: true, instances: selected, hosts: { names: ['a'] } }],
      instances: [{ name: 'vm0', host: 'a' }],
    },
  ],
  [
    'strict prefer_hosts',
    'broken_rules',
    {
      hosts,
      rules: [{ name: 'r', kind: 'prefer_hosts', isStrict: true, instances: selected, hosts: { names: ['b'] } }],
      instances: [{ name: 'vm0', host: 'a' }],
    },
  ],
  [
    'a zone',
    'misplaced',
    {
      hosts: [
        { hostname: 'a', zone: 'z1' },
        { hostname: 'b', zone: 'z2' },
      ],
      instances: [{ name: 'vm0', host: 'a', pinnedZone: 'z2' }],
    },
  ],
  [
    'an aggregate that is kept for other projects',
    'misplaced',
    {
      hosts: [
        { hostname: 'a', aggregates: ['theirs'] },
        { hostname: 'b', aggregates: [] },
      ],
      aggregates: [{ name: 'theirs', metadata: { filter_tenant_id: 'p1' } }],
      instances: [{ name: 'vm0', host: 'a', projectId: 'p2' }],
    },
  ],
];

const repairOnly: JsonObject = { preset: 'repair_only' };

describe.each(worlds)('%s that is broken today', (_, term, world) => {
  const snapshot = createTestWorld(world);

  it('is repaired before anything else', async () => {
    const { actions, report } = await runStrategy(placementOptimizerStrategy, { snapshot, parameters: repairOnly });

    expect(movesOf(actions)).toHaveLength(1);
    expect(actions[0]?.reason.rule).toBe(term);
    expect(report.objective?.find(({ term: name }) => name === term)).toMatchObject({ level: 0, before: 1, after: 0 });
    expect(report.notes.some((note) => /^broken today: .*repairs it$/.test(note))).toBe(true);
  });

  it.each(['vm_workload_consolidation', 'workload_stabilization', 'basic', 'balance_optimizer'])(
    'is in the report of %s',
    async (name) => {
      const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name)!;
      const metrics = { instance_cpu_usage: 10, host_cpu_usage: 10 };
      const { report } = await runStrategy(strategy, { snapshot, metrics, parameters: {} });

      expect(report.notes.some((note) => note.startsWith('broken today: '))).toBe(true);
    },
  );
});

it('repairs a host above its capacity at the cost of the reserve', async () => {
  const snapshot = createTestWorld({
    hosts: [
      { hostname: 'a', memory: 8192 },
      { hostname: 'b', memory: 8192 },
    ],
    instances: Array.from({ length: 6 }, (_, row) => ({ name: `vm${row}`, host: 'a', memory: 2048 })),
  });
  const { actions } = await runStrategy(placementOptimizerStrategy, { snapshot, parameters: repairOnly });
  const after = applyActions(snapshot, actions);

  expect(after.used(0).memory).toBeLessThanOrEqual(8192);
  expect(movesOf(actions)).toHaveLength(2);
  expect(actions[0]?.reason.summary).toMatch(
    /leaves a, which is 50 % above its memory, and takes it to 125 % and b from 0 to 25 %, 50 % of/,
  );
});

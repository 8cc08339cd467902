import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { StrategyPlugin } from '#libs/plugin-kit';
import { applyActions, createTestWorld, movesOf, runStrategy } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from './catalogue.ts';

const soon = { time_limit: 1 };
const searching: [string, JsonObject][] = [
  ['consolidation_optimizer', soon],
  ['balance_optimizer', soon],
  ['balance_optimizer', { ...soon, preset: 'even' }],
  ['placement_optimizer', { ...soon, preset: 'repair_only' }],
  ['placement_optimizer', { ...soon, preset: 'consolidate' }],
  ['placement_optimizer', { ...soon, both_aims: true }],
];
const consolidating: [string, JsonObject][] = [
  ['vm_workload_consolidation', {}],
  ['basic', {}],
  ['node_resource_consolidation', {}],
];

function run(name: string, parameters: JsonObject, snapshot: ReturnType<typeof createTestWorld>, hot = 10) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  const metrics = { instance_cpu_usage: hot, host_cpu_usage: (host: string) => (host === 'a' ? hot * 1.5 : 0) };
  return runStrategy(strategy, { snapshot, metrics, parameters });
}

const two = ['a', 'b'].map((hostname) => ({ hostname, memory: 8192, vcpusRatio: 4 }));
const six = Array.from({ length: 6 }, (_, row) => ({ name: `vm${row}`, host: 'a', vcpus: 4 }));

describe.each([...searching, ...consolidating])('%s %j with its usual reserve', (name, parameters) => {
  it('relieves a host at 150 % of its CPUs to the only other host', async () => {
    const { actions } = await run(name, parameters, createTestWorld({ hosts: two, instances: six }), 100);

    expect(movesOf(actions)).toHaveLength(3);
    for (const move of movesOf(actions)) expect(move).toMatchObject({ from: 'a', to: 'b' });
  });
});

describe.each(searching)('%s %j with its usual reserve', (name, parameters) => {
  it('takes a host at 150 % of its memory below it', async () => {
    const snapshot = createTestWorld({ hosts: two, instances: six.map((one) => ({ ...one, vcpus: 1, memory: 2048 })) });
    const { actions } = await run(name, parameters, snapshot);

    expect(applyActions(snapshot, actions).used(0).memory).toBeLessThanOrEqual(8192);
  });

  it('separates two members of a hard anti-affinity group', async () => {
    const snapshot = createTestWorld({
      hosts: two,
      groups: [{ name: 'g', policy: 'anti-affinity' }],
      instances: ['vm0', 'vm1'].map((instance) => ({ name: instance, host: 'a', group: 'g' })),
    });
    const { actions, report } = await run(name, parameters, snapshot);

    expect(movesOf(actions)).toMatchObject([{ from: 'a', to: 'b' }]);
    expect(report.notes.join()).toMatch(/broken today: .*the plan repairs it/);
  });
});

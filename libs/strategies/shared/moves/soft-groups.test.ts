import { expect, it } from 'vitest';
import type { StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy, type TestMetrics, type TestWorld } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../../catalogue.ts';

const vm = (name: string, host: string, changes = {}) => ({ name, host, vcpus: 4, memory: 4096, ...changes });

/** `a` must move `member`. Its peer is on the host that would be taken without the group. */
function world(busy: string, policy: 'soft-anti-affinity' | 'soft-affinity', others: TestWorld['instances'] = []) {
  return createTestWorld({
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 16 })),
    instances: [vm('member', 'a', { group: 'g' }), vm('peer', busy, { group: 'g', locked: true }), ...others],
    groups: [{ name: 'g', policy }],
  });
}

const run = (
  name: string,
  snapshot: ReturnType<typeof createTestWorld>,
  parameters: object,
  metrics: TestMetrics = {},
) =>
  runStrategy(strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin, {
    snapshot,
    parameters,
    metrics,
  });

const locked = (name: string, host: string, changes = {}) => vm(name, host, { locked: true, ...changes });

/** Each strategy has to move `member`, and would take `b`. By the group it is to go to `c`. */
const cases: [string, object, TestMetrics, TestWorld['instances']][] = [
  ['basic', {}, { host_cpu_usage: { a: 5, b: 50, c: 40 }, instance_cpu_usage: 5 }, [locked('x', 'c')]],
  ['vm_workload_consolidation', {}, { instance_cpu_usage: 5 }, [locked('x', 'b'), locked('y', 'c')]],
  [
    'node_resource_consolidation',
    { host_choice: 'specify', failure_reserve: 0 },
    {},
    [locked('x', 'b'), locked('y', 'c', { vcpus: 5 })],
  ],
  [
    'workload_balance',
    { threshold: 30 },
    { instance_cpu_usage: { member: 80, peer: 1, x: 90, y: 10 } },
    [locked('x', 'a'), locked('y', 'c')],
  ],
  [
    'workload_stabilization',
    { thresholds: { instance_cpu_usage: 0.05 } },
    { host_cpu_usage: { a: 40, b: 0, c: 1 }, instance_cpu_usage: { member: 80, peer: 1, x: 80 } },
    [locked('x', 'a')],
  ],
  ['allocation_balance', {}, {}, [locked('x', 'a'), locked('x2', 'a'), locked('x3', 'a'), locked('y', 'c')]],
  ['outlet_temperature', { threshold: 35 }, { host_outlet_temp: { a: 40, b: 20, c: 21 } }, []],
];

it.each(cases)('%s: a member does not join its soft-anti-affinity peer', async (name, parameters, metrics, others) => {
  const { actions } = await run(name, world('b', 'soft-anti-affinity', others), parameters, metrics);
  expect(movesOf(actions).find(({ instance }) => instance === 'member')?.to).toBe('c');
});

it('a soft group refuses nothing: where only the host of the peer is left, the member goes there and the report says so', async () => {
  const snapshot = createTestWorld({
    hosts: ['a', 'b'].map((hostname) => ({ hostname })),
    instances: [vm('member', 'a', { group: 'g' }), locked('peer', 'b', { group: 'g' })],
    groups: [{ name: 'g', policy: 'soft-anti-affinity' }],
  });
  const { actions, report } = await run(
    'outlet_temperature',
    snapshot,
    { threshold: 35 },
    { host_outlet_temp: { a: 40, b: 20 } },
  );
  expect(movesOf(actions)).toEqual([{ instance: 'member', from: 'a', to: 'b' }]);
  expect(report.notes).toContain(
    'soft server groups with instances that move: 1; broken pairs: 0 before the plan, 1 after it (1 more than before)',
  );
});

it('soft affinity draws a member to its peers, and the report has the kept groups', async () => {
  const metrics = { host_outlet_temp: { a: 40, b: 20, c: 21 } };
  const { actions, report } = await run('outlet_temperature', world('c', 'soft-affinity'), { threshold: 35 }, metrics);
  expect(movesOf(actions)).toEqual([{ instance: 'member', from: 'a', to: 'c' }]);
  expect(actions[0]?.reason.rejected).toEqual([{ alternative: 'b', because: 'soft-server-group', others: 0 }]);
  expect(report.notes.at(-1)).toContain('broken pairs: 1 before the plan, 0 after it (all that held are kept)');
});

import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld, runStrategy, testUuid } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../../catalogue.ts';
import { nameWhereNeeded } from '../moves/free-choice.ts';

const pinned = { flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } };

/** Hosts whose CPUs are all for dedicated use, so that Placement has no VCPU of them. */
const cloud = createTestWorld({
  hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 0, dedicatedCpus: 16 })),
  instances: [
    ...['a1', 'a2', 'a3'].map((name) => ({ name, host: 'a', vcpus: 4, ...pinned })),
    { name: 'b1', host: 'b', vcpus: 2, ...pinned },
  ],
});

it.each([
  ['workload_stabilization', { thresholds: { instance_cpu_usage: 0.05 }, metrics: ['instance_cpu_usage'] }, 'a'],
  ['workload_balance', { threshold: 50, metrics: 'instance_cpu_usage' }, 'a'],
  ['allocation_balance', {}, 'a'],
  ['basic', {}, 'b'],
  ['vm_workload_consolidation', { failure_reserve: 0 }, 'b'],
])('hosts with dedicated CPUs only are measured by those: %s', async (name, parameters, source) => {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (strategy === undefined) throw new Error(`no strategy ${name}`);
  const { actions } = await runStrategy(strategy, {
    snapshot: cloud,
    parameters,
    metrics: {
      instance_cpu_usage: { a1: 90, a2: 90, a3: 90, b1: 5 },
      instance_ram_usage: 512,
      host_cpu_usage: { a: 68, b: 1, c: 0 },
      host_ram_usage: 1024,
    },
  });
  const moves = actions.filter(({ actionType }) => actionType === 'migrate');
  expect(new Set(moves.map(({ inputParameters }) => inputParameters.source_node))).toEqual(new Set([source]));
  for (const { reason } of actions)
    for (const { before, after } of reason.values) expect([before, after].every(Number.isFinite)).toBe(true);
});

it('a destination is named when dedicated CPUs could run out by a choice of Nova', () => {
  const snapshot = createTestWorld({
    hosts: [
      { hostname: 'a', dedicatedCpus: 8 },
      { hostname: 'b', dedicatedCpus: 4 },
      { hostname: 'c', dedicatedCpus: 2 },
    ],
    instances: [
      { name: 'large', host: 'a', vcpus: 4, ...pinned },
      { name: 'small', host: 'a', vcpus: 2, ...pinned },
    ],
  });
  const model = createWhatIf(snapshot);
  const reason = { rule: 'test', summary: 'Test.', values: [], rejected: [] };
  const actions = ['large', 'small'].map((name) => ({
    actionType: 'migrate',
    inputParameters: { resource_id: testUuid(name), source_node: 'a', migration_type: 'live' },
    reason,
  }));
  model.move(0, 1);
  model.move(1, 2);
  const named = nameWhereNeeded(model, actions);
  expect(named.map(({ inputParameters }) => inputParameters.destination_node)).toEqual(['b', 'c']);
});

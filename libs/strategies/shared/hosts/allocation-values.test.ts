import { describe, expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld, movesOf, runStrategy, type TestHost, type TestWorld } from '#libs/plugin-kit/testing';
import { basicStrategy } from '../../basic/strategy.ts';
import { nodeResourceConsolidationStrategy } from '../../node_resource_consolidation/strategy.ts';
import { vmWorkloadConsolidationStrategy } from '../../vm_workload_consolidation/strategy.ts';
import { holdsForeignAllocation } from './allocation-values.ts';

/** Two hosts with little on them; Placement counts a build on the emptier one beside its instance. */
const inFlight: TestWorld = {
  hosts: [
    { hostname: 'small', used: { vcpus: 3, memory: 1024 } },
    { hostname: 'large', vcpus: 32 },
  ],
  instances: [
    { name: 'one', host: 'small' },
    ...['two', 'three', 'four', 'five'].map((name) => ({ name, host: 'large' })),
  ],
};
const metrics = { host_cpu_usage: { small: 5, large: 20 }, instance_cpu_usage: 10 };

describe('allocations of no instance', () => {
  it.each<[string, Partial<TestHost>, boolean]>([
    ['nothing but its instance', {}, false],
    ['more vcpus', { used: { vcpus: 3 } }, true],
    ['more memory', { used: { memory: 2048 } }, true],
    ['dedicated CPUs', { dedicatedCpus: 4, used: { dedicatedCpus: 2 } }, true],
    ['fewer, since an instance arrives', { used: { vcpus: 0, memory: 0 } }, false],
  ])('a host with %s', (_, changes, expected) => {
    const world = { hosts: [{ hostname: 'a', ...changes }], instances: [{ name: 'i', host: 'a' }] };
    expect(holdsForeignAllocation(createWhatIf(createTestWorld(world)), 0)).toBe(expected);
  });

  it.each([
    ['basic', basicStrategy],
    ['node_resource_consolidation', nodeResourceConsolidationStrategy],
    ['vm_workload_consolidation', vmWorkloadConsolidationStrategy],
  ])('%s does not free a host that a build still needs', async (_, strategy) => {
    const { actions, report } = await runStrategy(strategy, { snapshot: createTestWorld(inFlight), metrics });
    expect(movesOf(actions).filter(({ from }) => from === 'small')).toEqual([]);
    const changed = actions.flatMap(({ inputParameters: input }) =>
      input.state === 'disabled' ? input.resource_name : [],
    );
    expect(changed).not.toContain('small');
    expect(report.blocked).toContainEqual({ constraint: 'foreign-allocation', count: 1, examples: ['small'] });
  });
});

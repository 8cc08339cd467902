import { expect, test } from 'vitest';
import { changeText, compared, goalText } from './comparison-rows.ts';

const use = (instances: number, vcpus: number, memory: number) => ({
  instances,
  vcpus,
  memory,
  dedicated_cpus: 0,
  disk: 0,
  enabled: true,
});
const capacity = { vcpus: 10, memory: 10_240, dedicated_cpus: 0, disk: 0 };

test('all proposals have the same measurements, independent of their goals', () => {
  const hosts = [
    { hostname: 'a', capacity, before: use(4, 8, 8192), after: use(2, 4, 4096), instances_in: 0, instances_out: 2 },
    { hostname: 'b', capacity, before: use(0, 0, 0), after: use(2, 4, 4096), instances_in: 2, instances_out: 0 },
  ];
  expect(compared({ hosts, actions: [] })).toEqual({
    vcpus: [0.4, 0],
    memory: [0.4, 0],
    inUse: [1, 2],
    fullest: [0.8, 0.4],
    moves: 2,
    gib: 4,
    actions: 0,
  });
});

test('an unchanged number appears once', () => {
  expect(changeText([0.4, 0.1])).toBe('40.0\u00a0% → 10.0\u00a0%');
  expect(changeText([3, 3], String)).toBe('3');
});

test('the measurement of the goal appears if it has one', () => {
  const indicators = [
    { name: 'standard_deviation_before_audit', value: 0.25, unit: null, description: '' },
    { name: 'standard_deviation_after_audit', value: 0.1, unit: null, description: '' },
  ];
  expect(goalText({ indicators, strategy: 'workload_stabilization' })).toBe('25.0\u00a0% → 10.0\u00a0%');
  expect(goalText({ indicators: [], strategy: 'workload_stabilization' })).toBeNull();
});

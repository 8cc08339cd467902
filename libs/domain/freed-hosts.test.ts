import { expect, test } from 'vitest';
import { freedHosts } from './freed-hosts.ts';

const use = (instances: number) => ({
  ...{ instances, vcpus: instances, dedicatedCpus: 0, memory: 0, disk: 0 },
  enabled: true,
});
const host = (hostname: string, before: number, after: number) => ({
  hostname,
  before: use(before),
  after: use(after),
});
const power = (resource_name: string, state: string) => ({
  actionType: 'change_node_power_state',
  inputParameters: { resource_id: `node-${resource_name}`, resource_name, state },
});

test('a host that the plan starts to use replaces a host that becomes empty', () => {
  expect(freedHosts([host('a', 3, 0), host('b', 2, 0), host('c', 5, 10)])).toBe(2);
  expect(freedHosts([host('a', 3, 0), host('b', 2, 0), host('c', 0, 5)])).toBe(1);
  expect(freedHosts([host('a', 3, 0), host('b', 0, 2), host('c', 0, 1)])).toBe(0);
});

test('a host counts once, whether it becomes empty, is powered off, or both', () => {
  expect(freedHosts([host('a', 3, 0)], [power('a', 'off'), power('b', 'off')])).toBe(2);
  expect(freedHosts([host('a', 0, 4)], [power('a', 'on'), power('b', 'off'), power('c', 'off')])).toBe(1);
});

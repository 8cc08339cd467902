import { expect, it } from 'vitest';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { reserveOfPlan } from './reserve-of-plan.ts';

/** Three hosts of 8 CPUs in one zone: two of them hold three instances of 2 CPUs each, and `c` is empty. */
const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname, vcpus: 8, memory: 8192, zone: 'z1' }));
const instances = [0, 1, 2, 3, 4, 5].map((index) => ({
  name: `vm-${index}`,
  host: index < 3 ? 'a' : 'b',
  vcpus: 2,
  memory: 1024,
}));
const world = createTestWorld({ hosts, instances });

const migrate = (name: string, from: string, to: string | null) => ({
  actionType: 'migrate',
  inputParameters: { migration_type: 'live', resource_id: testUuid(name), source_node: from, destination_node: to },
});
const setService = (host: string, state: 'enabled' | 'disabled') => ({
  actionType: 'change_nova_service_state',
  inputParameters: { resource_name: host, state },
});

it('a plan that disables the spare host loses the reserve of its zone', () => {
  expect(reserveOfPlan(world, [setService('c', 'disabled')])).toEqual([{ domain: 'zone z1', change: 'lost' }]);
});

it('a plan that frees one host while another takes its instances leaves the reserve', () => {
  const moves = ['vm-0', 'vm-1', 'vm-2'].map((name) => migrate(name, 'a', 'c'));
  expect(reserveOfPlan(world, moves)).toEqual([]);
});

it('an instance whose destination is unknown frees no place', () => {
  const full = createTestWorld({ hosts: hosts.slice(0, 2), instances });
  const leaving = ['vm-0', 'vm-1', 'vm-2'];
  const moves = (to: string | null) => leaving.map((name) => migrate(name, 'a', to));
  expect(reserveOfPlan(full, moves(null))).toEqual([]);
  expect(reserveOfPlan(full, moves('elsewhere'))).toEqual([]);
});

it('a service that is enabled on a host that is down brings no reserve', () => {
  const enabledFrom = (state: 'up' | 'down') => {
    const all = hosts.map((host) => (host.hostname === 'c' ? { ...host, status: 'disabled' as const, state } : host));
    return reserveOfPlan(createTestWorld({ hosts: all, instances }), [setService('c', 'enabled')]);
  };
  expect(enabledFrom('up')).toEqual([{ domain: 'zone z1', change: 'gained' }]);
  expect(enabledFrom('down')).toEqual([]);
});

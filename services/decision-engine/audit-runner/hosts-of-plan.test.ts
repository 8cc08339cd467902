import { expect, it } from 'vitest';
import type { StorageSnapshot } from '#libs/cluster-model';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { hostsOfPlan, touchedHosts } from './hosts-of-plan.ts';

const host = (hostname: string) => ({ hostname, vcpus: 16, memory: 16_384, disk: 100, dedicatedCpus: 8 });
const world = createTestWorld({
  hosts: [host('a'), host('b'), host('c'), host('d')],
  instances: [
    { name: 'shared', host: 'a', vcpus: 2, memory: 1024, disk: 10 },
    { name: 'pinned', host: 'a', vcpus: 4, memory: 2048, disk: 0, flavorExtraSpecs: { 'hw:cpu_policy': 'dedicated' } },
  ],
});
const migrate = (name: string, from: string, to: string | null) => ({
  actionType: 'migrate',
  inputParameters: { migration_type: 'live', resource_id: testUuid(name), source_node: from, destination_node: to },
});
const numbers = (plan: ReturnType<typeof hostsOfPlan>) =>
  plan.hosts.map(({ hostname, before, after, instancesIn, instancesOut }) => [
    hostname,
    [before.instances, before.vcpus, before.dedicatedCpus, before.memory, before.disk],
    [after.instances, after.vcpus, after.dedicatedCpus, after.memory, after.disk],
    [instancesIn, instancesOut],
  ]);

it('dedicated CPUs are counted separately: an instance with some takes nothing of the shared ones', () => {
  const plan = hostsOfPlan(world, [migrate('pinned', 'a', 'b')]);
  expect(numbers(touchedHosts(plan))).toEqual([
    ['a', [2, 2, 4, 3072, 10], [1, 2, 0, 1024, 10], [0, 1]],
    ['b', [0, 0, 0, 0, 0], [1, 0, 4, 2048, 0], [1, 0]],
  ]);
  expect(plan.hosts).toHaveLength(4);
  expect(plan.hosts[0]?.capacity).toEqual({ vcpus: 16, dedicatedCpus: 8, memory: 16_384, disk: 100 });
});

it('an instance that moves twice is counted once where it ends', () => {
  const plan = hostsOfPlan(world, [migrate('shared', 'a', 'c'), migrate('shared', 'c', 'b')]);
  expect(numbers(touchedHosts(plan))).toEqual([
    ['a', [2, 2, 4, 3072, 10], [1, 0, 4, 2048, 0], [0, 1]],
    ['b', [0, 0, 0, 0, 0], [1, 2, 0, 1024, 10], [1, 0]],
    ['c', [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1]],
  ]);
  expect(plan.moved).toEqual({
    [testUuid('shared')]: { vcpus: 2, dedicatedCpus: 0, memory: 1024, disk: 10, host: 'a' },
  });
});

it('an instance whose destination Nova chooses does not vanish', () => {
  const plan = hostsOfPlan(world, [migrate('shared', 'a', null)]);
  expect(plan.unplaced).toEqual({ instances: 1, vcpus: 2, dedicatedCpus: 0, memory: 1024, disk: 10 });
  expect(touchedHosts(plan).hosts.map(({ hostname, after }) => [hostname, after.instances])).toEqual([['a', 1]]);
});

it('nor does one that moves to a host outside the table, and one that moves on from there is counted once', () => {
  const outside = hostsOfPlan(world, [migrate('shared', 'a', 'elsewhere')]);
  expect(outside.unplaced).toMatchObject({ instances: 1, vcpus: 2 });
  const twice = hostsOfPlan(world, [migrate('shared', 'a', null), migrate('shared', 'x', null)]);
  expect(twice.unplaced).toMatchObject({ instances: 1, vcpus: 2 });
  const back = hostsOfPlan(world, [migrate('shared', 'a', null), migrate('shared', 'x', 'b')]);
  expect(back.unplaced).toMatchObject({ instances: 0, vcpus: 0 });
});

it('a move to the host where the instance is changes nothing', () => {
  expect(touchedHosts(hostsOfPlan(world, [migrate('shared', 'a', 'a')])).hosts).toEqual([]);
});

it('the revert of a migration and of a service change counts by its effect', () => {
  const undo = (action_type: string, input_parameters: object) => ({
    actionType: 'revert',
    inputParameters: { action_type, input_parameters: { ...input_parameters } },
  });
  const plan = hostsOfPlan(world, [
    undo('migrate', migrate('shared', 'd', 'a').inputParameters),
    undo('change_nova_service_state', { resource_name: 'b', state: 'enabled' }),
  ]);
  expect(touchedHosts(plan).hosts.map(({ hostname, after }) => [hostname, after.instances, after.enabled])).toEqual([
    ['a', 1, true],
    ['b', 0, false],
    ['d', 1, true],
  ]);
});

it('the sizes of volumes that move are kept, when the plan was made with volumes', () => {
  const storage = {
    volumes: [
      { uuid: 'v1', sizeGb: 40 },
      { uuid: 'v2', sizeGb: 7 },
    ],
  } as StorageSnapshot;
  const move = { actionType: 'volume_migrate', inputParameters: { migration_type: 'migrate', resource_id: 'v1' } };
  expect(hostsOfPlan(world, [move], { storage }).volumes).toEqual({ v1: 40 });
  expect(hostsOfPlan(world, [move]).volumes).toBeUndefined();
});

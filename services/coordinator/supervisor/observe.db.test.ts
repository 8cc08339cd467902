import { beforeEach, expect, it } from 'vitest';
import { useRecoveryScene } from '../recovery/testing/recovery-scene.ts';

const scene = await useRecoveryScene();
let now: number;
beforeEach(async () => {
  await scene.begin();
  now = 1_000_000;
});

const seconds = (count: number) => {
  now += count * 1000;
};
const eventsOf = async (type: string) => (await scene.eventsOfHost()).filter((event) => event.type === type);
const renew = (...instances: { instanceId: string }[]) =>
  Promise.all(instances.map(({ instanceId }) => scene.store.db.registry.beat(instanceId, 600_000)));

it('the supervisor declares a single process lost as soon as its lease has expired', async () => {
  await scene.start('watcher-applier', { ttlMs: -1 });
  await scene.start('scheduler');
  await scene.supervisor(() => now).findLost();
  expect(await eventsOf('service.lost')).toHaveLength(1);
  expect(await eventsOf('host.slow')).toEqual([]);
});

it('a supervisor whose own loop was late gives all processes time to renew, and reports one event', async () => {
  const frozen = [await scene.start('watcher-applier', { ttlMs: -1 }), await scene.start('scheduler', { ttlMs: -1 })];
  const supervisor = scene.supervisor(() => now);
  await supervisor.findLost(40_000);
  expect(await eventsOf('host.slow')).toMatchObject([
    { doc: { late: { coordinator: 'its loop was 40 s late' }, pressure: { cpu: { some_avg10: 98 } } } },
  ]);
  seconds(10);
  await renew(...frozen);
  await supervisor.findLost();
  seconds(40);
  await supervisor.findLost(20_000);
  expect(await eventsOf('host.slow')).toHaveLength(1);
  expect(await eventsOf('service.lost')).toEqual([]);
});

it('several processes that were late together and renew are one event of the machine', async () => {
  const [applier, scheduler] = [
    await scene.start('watcher-applier', { ttlMs: -1 }),
    await scene.start('scheduler', { ttlMs: 5_000 }),
  ];
  const supervisor = scene.supervisor(() => now);
  await supervisor.findLost();
  expect(await eventsOf('host.slow')).toEqual([]);
  seconds(2);
  await renew(applier, scheduler);
  await supervisor.findLost();
  expect(await eventsOf('host.slow')).toMatchObject([
    { doc: { late: { processes: expect.stringMatching(/scheduler@.*, watcher-applier@/) } } },
  ]);
  expect(await eventsOf('service.lost')).toEqual([]);
});

it('processes that end together are lost after the grace period, without an event of the machine', async () => {
  await scene.start('watcher-applier', { ttlMs: -1 });
  await scene.start('scheduler', { ttlMs: -1 });
  const supervisor = scene.supervisor(() => now);
  await supervisor.findLost();
  seconds(29);
  await supervisor.findLost();
  expect(await eventsOf('service.lost')).toEqual([]);
  seconds(2);
  await supervisor.findLost();
  expect(await eventsOf('service.lost')).toHaveLength(2);
  expect(await eventsOf('host.slow')).toEqual([]);
});

it('Checks that several processes do not respond to count against the machine, not against the processes', async () => {
  const [applier] = [await scene.start('watcher-applier'), await scene.start('scheduler')];
  const supervisor = scene.supervisor(() => now);
  for (let round = 0; round < 5; round += 1) {
    await supervisor.checkAll();
    await supervisor.findLost();
    seconds(10);
  }
  expect((await scene.store.db.registry.findInstance(applier.instanceId))?.failedChecks).toBe(0);
  expect(await eventsOf('service.slow')).toEqual([]);
  expect(await eventsOf('host.slow')).toMatchObject([
    { doc: { late: { processes: '2 of 2 Checks got no response' } } },
  ]);
});

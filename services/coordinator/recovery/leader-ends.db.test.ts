import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createRecoveryEngine } from './recovery-engine.ts';
import { recoveryRules } from './start-recovery.ts';
import { useRecoveryScene } from './testing/recovery-scene.ts';

const scene = await useRecoveryScene();
beforeEach(() => scene.begin());

const steps = ['before-event', 'in-event', 'after-event', 'before-step', 'mid-step', 'in-step', 'after-step'];
test.each(steps.flatMap((name) => [1, 2, 3].map((visit) => [name, visit] as const)))(
  'a leader that ends at %s (visit %i) leaves nothing undone and nothing done twice',
  async (name, visit) => {
    const lost = await scene.start('watcher-applier', { ttlMs: -1 });
    const plan = await scene.heldPlan(lost);
    await scene.store.db.registry.transition(lost.instanceId, 'lose');
    let left = visit;
    const dying = scene.engineWith((place) => {
      if (place !== name) return;
      left -= 1;
      if (left === 0) throw new TypeError('killed');
    });
    const order = await scene.eventsOfHost();
    await (async () => {
      for (const event of order) await dying.handle(event, scene.fence);
      await dying.run(scene.fence);
    })().catch(() => undefined);
    const formerFence = scene.fence;
    await scene.lead();
    await expect(dying.handle(order[0]!, formerFence)).rejects.toThrow();
    const successor = scene.engineWith();
    await successor.takeOffice(scene.fence);
    await successor.run(scene.fence);
    expect(await scene.messagesFor(plan.uuid)).toBe(1);
    const decided = await scene.outcomes('R1');
    expect(decided).toHaveLength(1);
    expect((await scene.store.db.recovery.openJobs()).filter((key) => key.startsWith('R1:'))).toEqual([]);
  },
);

test('a step and its phase are one: a leader that ends between them leaves neither', async () => {
  for (let count = 0; count < 6; count += 1) await scene.start('scheduler');
  const degraded = async () =>
    (await scene.store.db.registry.matrix()).find((row) => row.host === scene.host)?.degraded;
  const ending = scene.engineWith((place) => {
    if (place === 'mid-step') throw new TypeError('killed');
  });
  await scene.deliver(1, ending);
  expect(await degraded()).toBe(false);
  await scene.engineWith().run(scene.fence);
  expect(await degraded()).toBe(true);
});

test('without a coordinator, the supervisor finds lost work and changes nothing else', async () => {
  const lost = await scene.start('watcher-applier', { ttlMs: -1 });
  const plan = await scene.heldPlan(lost);
  const before = await scene.store.db.actionPlans.get(plan.uuid);
  const supervisor = scene.supervisor();
  await supervisor.findLost();
  await supervisor.findLost();
  expect((await scene.eventsOfHost()).map(({ type }) => type)).toEqual([
    'service.lost',
    'service.started',
    'service.starting',
  ]);
  expect(await scene.store.db.actionPlans.get(plan.uuid)).toEqual(before);
  expect(await scene.messagesFor(plan.uuid)).toBe(0);
});

test('a job that never comes to an end is ended by its time limit', async () => {
  const lost = await scene.start('watcher-applier', { ttlMs: -1 });
  await scene.heldPlan(lost, 600_000);
  await scene.store.db.registry.transition(lost.instanceId, 'lose');
  const hasty = createRecoveryEngine({
    store: scene.store,
    rules: recoveryRules.map((rule) => ({ ...rule, timeLimitMs: rule.name === 'R1' ? -1 : rule.timeLimitMs })),
    newUuid: randomUUID,
    logger: silentLogger,
  });
  await scene.deliver(1, hasty);
  expect(await scene.outcomes('R1')).toEqual(['TIMED_OUT']);
});

test('a job that a slow machine reaches after its time limit is done, not TIMED_OUT', async () => {
  const lost = await scene.start('watcher-applier', { ttlMs: -1 });
  const plan = await scene.heldPlan(lost);
  await scene.store.db.registry.transition(lost.instanceId, 'lose');
  const late = createRecoveryEngine({
    store: scene.store,
    rules: recoveryRules.map((rule) => ({ ...rule, timeLimitMs: -1 })),
    newUuid: randomUUID,
    logger: silentLogger,
  });
  await scene.deliver(1, late);
  expect(await scene.outcomes('R1')).toEqual(['HANDED_OVER']);
  expect(await scene.messagesFor(plan.uuid)).toBe(1);
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertAction, insertPlanWorld } from '#tests';
import { dying, useRecoveryScene } from './testing/recovery-scene.ts';

const scene = await useRecoveryScene();
beforeEach(() => scene.begin());

describe.each([
  ['delivered twice and in an order of chance', 1],
  ['delivered twice and in another order', 2],
  ['delivered to leaders that end at every place', dying],
])('%s', (_, seed) => {
  test('R1: the plans of a lost applier are launched again, once, when their leases have expired', async () => {
    const lost = await scene.start('watcher-applier', { ttlMs: -1 });
    const free = await scene.heldPlan(lost);
    const guarded = await scene.heldPlan(lost, 600_000);
    await scene.supervisor().findLost();
    expect(await scene.messagesFor(free.uuid)).toBe(0);
    await scene.deliver(seed);
    expect(await scene.messagesFor(free.uuid)).toBe(1);
    expect(await scene.messagesFor(guarded.uuid)).toBe(0);
    expect(await scene.outcomes('R1')).toEqual([]);
    await scene.store.db.actionPlans.renewLease(
      guarded.uuid,
      (await scene.store.db.actionPlans.get(guarded.uuid)).fence ?? 0,
      -1,
    );
    await scene.deliver(seed);
    expect(await scene.messagesFor(guarded.uuid)).toBe(1);
    expect(await scene.outcomes('R1')).toEqual(['HANDED_OVER']);
    expect((await scene.store.db.actionPlans.get(free.uuid)).state).toBe('ONGOING');
  });

  test('R2: the audits of a lost decision engine are triggered again', async () => {
    const lost = await scene.start('watcher-decision-engine', { ttlMs: -1 });
    const audit = await scene.heldAudit(lost);
    await scene.store.db.registry.transition(lost.instanceId, 'lose');
    await scene.deliver(seed);
    expect(await scene.messagesFor(audit.uuid)).toBe(1);
    expect(await scene.outcomes('R2')).toEqual(['HANDED_OVER']);
  });

  test('R3: more than five starts in ten minutes degrade a service until a user requests it', async () => {
    for (let count = 0; count < 5; count += 1) await scene.start('scheduler');
    await scene.deliver(seed);
    const degraded = async () =>
      (await scene.store.db.registry.matrix()).find((row) => row.host === scene.host)?.degraded;
    expect(await degraded()).toBe(false);
    await scene.start('scheduler');
    await scene.deliver(seed);
    expect(await degraded()).toBe(true);
    expect((await scene.eventsOfHost()).filter(({ type }) => type === 'service.degraded')).toHaveLength(1);
    await scene.store.db.registry.request({
      id: randomUUID(),
      kind: 'restart',
      serviceName: 'scheduler',
      host: scene.host,
      requestedBy: 'test',
      timeoutMs: 600_000,
    });
    await scene.deliver(seed);
    expect(await degraded()).toBe(false);
    expect(await scene.outcomes('R3')).toContain('CLEARED');
  });

  test('R4: the work of a process that is stopped on request is handed over immediately', async () => {
    const stopping = await scene.start('watcher-applier');
    const plan = await scene.heldPlan(stopping, 600_000);
    await scene.store.db.registry.transition(stopping.instanceId, 'stop');
    await scene.store.db.registry.transition(stopping.instanceId, 'stopped');
    await scene.deliver(seed);
    expect(await scene.messagesFor(plan.uuid)).toBe(1);
    expect(await scene.outcomes('R4')).toEqual(['HANDED_OVER']);
  });

  test('R5: a new leader hands over work without an event', async () => {
    const gone = await scene.start('watcher-applier');
    const plan = await scene.heldPlan(gone);
    await scene.store.db.registry.transition(gone.instanceId, 'lose');
    for (const { id } of await scene.store.db.registry.pendingEvents(1000))
      await scene.store.db.registry.acknowledge(id);
    await scene.lead();
    for (const work of ['takeOffice', 'takeOffice', 'run'] as const)
      await scene.act(seed, (leader) => leader[work](scene.fence));
    expect(await scene.messagesFor(plan.uuid)).toBe(1);
    expect((await scene.outcomes('R5'))[0]).toBe('RECONCILED');
  });

  test('R6: a process two minor versions behind gets no work until the others have ended', async () => {
    const old = await scene.start('watcher-applier', { version: '7.1.4' });
    const fitting = await scene.start('scheduler', { version: '7.2.0' });
    const newest = await scene.start('watcher-decision-engine', { version: '7.3.9' });
    const accepts = async () =>
      Promise.all(
        [old, fitting, newest].map(
          async ({ instanceId }) => (await scene.store.db.registry.findInstance(instanceId))?.acceptsWork,
        ),
      );
    await scene.deliver(seed);
    expect(await accepts()).toEqual([false, true, true]);
    await scene.store.db.registry.transition(newest.instanceId, 'stop');
    await scene.store.db.registry.transition(newest.instanceId, 'stopped');
    await scene.deliver(seed);
    expect((await accepts()).slice(0, 2)).toEqual([true, true]);
    for (const { instanceId } of [old, fitting]) await scene.store.db.registry.transition(instanceId, 'lose');
  });

  test('R7: a host is marked while nothing lives on it', async () => {
    const frozen = await scene.start('watcher-applier', { ttlMs: -1 });
    await scene.store.db.registry.transition(frozen.instanceId, 'lose');
    await scene.deliver(seed);
    const marks = async () =>
      (await scene.store.db.registry.edges({ dstKind: 'Host', dstId: scene.host }))[0]?.attributes;
    expect(await marks()).toEqual({ lost: true });
    await scene.store.db.registry.transition(frozen.instanceId, 'return', { ttlMs: 60_000 });
    await scene.deliver(seed);
    expect(await marks()).toEqual({});
  });

  test('R8: work without owner and message is sent again when a process is available, but not repeatedly', async () => {
    const { plan } = await insertPlanWorld(scene.store.db, { plan: () => ({ state: 'PENDING', launchSeq: 1 }) });
    const dead = { instance: randomUUID(), host: 'nowhere', ttlMs: -1 };
    await scene.store.db.actionPlans.claim(plan.uuid, dead);
    const applier = await scene.start('watcher-applier');
    await scene.deliver(seed);
    await scene.deliver(seed);
    expect(await scene.messagesFor(plan.uuid)).toBe(1);
    expect(
      (await scene.store.db.recovery.decisions({ limit: 100, rule: 'R8' })).map(({ outcome }) => outcome),
    ).toContain('REQUEUED');
    await scene.store.db.registry.transition(applier.instanceId, 'lose');
  });

  test('R9: the coordinator leaves a process alone that renews its lease and responds to no Check', async () => {
    const slow = await scene.start('scheduler');
    const supervisor = scene.supervisor();
    for (let count = 0; count < 4; count += 1) await supervisor.checkAll();
    expect((await scene.eventsOfHost()).filter(({ type }) => type === 'service.slow')).toHaveLength(1);
    await scene.deliver(seed);
    expect((await scene.store.db.registry.beat(slow.instanceId, 60_000))?.request).toBeNull();
    expect(await scene.store.db.registry.newestRequest('scheduler', scene.host)).toBeNull();
    expect((await scene.store.db.registry.matrix()).find((row) => row.host === scene.host)?.status).toBe('Running');
    expect(await scene.outcomes('R9')).toEqual(['LEFT_ALONE']);
  });

  test('R10: work that was done at three uncaught exceptions is given up with the reason', async () => {
    const first = await scene.start('watcher-applier');
    const plan = await scene.heldPlan(first);
    await scene.store.db.registry.transition(first.instanceId, 'crash', { reason: 'uncaught exception: boom 1' });
    for (const count of [2, 3]) {
      await scene.deliver(seed);
      expect((await scene.store.db.actionPlans.get(plan.uuid)).state).toBe('ONGOING');
      const next = await scene.start('watcher-applier');
      await scene.store.db.actionPlans.takeOver(plan.uuid, { instance: next.instanceId, host: scene.host, ttlMs: -1 });
      await scene.store.db.registry.transition(next.instanceId, 'crash', {
        reason: `uncaught exception: boom ${count}`,
      });
    }
    await scene.deliver(seed);
    const ended = await scene.store.db.actionPlans.get(plan.uuid);
    expect(ended).toMatchObject({
      state: 'FAILED',
      statusMessage: expect.stringContaining('Quarantined: 3 processes'),
    });
    expect((await scene.store.db.actions.listByPlan(plan.uuid)).map(({ state }) => state).sort()).toEqual([
      'CANCELLED',
      'CANCELLED',
      'FAILED',
    ]);
    expect((await scene.outcomes('R10')).filter((outcome) => outcome === 'QUARANTINED')).toHaveLength(1);
  });

  test('R10: a plan that is given up leaves another one that enables the hosts again which it did not empty', async () => {
    const first = await scene.start('watcher-applier', { config: { VIGIL_APPLIER_MAX_TAKEOVERS: 0 } });
    const plan = await scene.heldPlan(first);
    const { id } = await scene.store.db.actionPlans.get(plan.uuid);
    const host = `host-of-${plan.uuid}`;
    const disabling = { resource_id: host, resource_name: host, state: 'disabled' };
    const moving = {
      resource_id: plan.uuid,
      source_node: host,
      destination_node: `other-${host}`,
      migration_type: 'live',
    };
    for (const [actionType, inputParameters, state] of [
      ['change_nova_service_state', disabling, 'SUCCEEDED'],
      ['migrate', moving, 'ONGOING'],
    ] as const) {
      await insertAction(scene.store.db, { id }, () => ({ actionType, inputParameters, state }));
    }
    await scene.store.db.registry.transition(first.instanceId, 'lose');
    await scene.deliver(seed);
    expect((await scene.store.db.actionPlans.get(plan.uuid)).state).toBe('FAILED');
    const backs = await scene.store.db.actionPlans.list({ filters: [{ field: 'rollsBack', value: plan.uuid }] });
    expect(backs.map(({ state }) => state)).toEqual(['PENDING']);
    const [revert, ...more] = await scene.store.db.actions.listByPlan(backs[0]?.uuid ?? '');
    expect(more).toEqual([]);
    expect(revert).toMatchObject({ actionType: 'revert', inputParameters: { input_parameters: disabling } });
  });

  test('R10: work that only ran next to the failing one continues when that is quarantined', async () => {
    const first = await scene.start('watcher-applier');
    const [guilty, innocent] = [await scene.heldPlan(first), await scene.heldPlan(first)];
    await scene.store.db.registry.transition(first.instanceId, 'crash', { reason: 'uncaught exception: boom' });
    for (const plans of [[guilty, innocent], [guilty]]) {
      const next = await scene.start('watcher-applier');
      for (const { uuid } of plans)
        await scene.store.db.actionPlans.takeOver(uuid, { instance: next.instanceId, host: scene.host, ttlMs: -1 });
      await scene.store.db.registry.transition(next.instanceId, 'crash', { reason: 'uncaught exception: boom' });
    }
    await scene.deliver(seed);
    expect((await scene.store.db.actionPlans.get(guilty.uuid)).state).toBe('FAILED');
    expect((await scene.store.db.actionPlans.get(innocent.uuid)).state).toBe('ONGOING');
  });

  test('R10: processes that end without a word count up to the limit that they hold themselves to', async () => {
    const limited = { config: { VIGIL_APPLIER_MAX_TAKEOVERS: 1 } };
    const first = await scene.start('watcher-applier', limited);
    const plan = await scene.heldPlan(first);
    await scene.store.db.registry.transition(first.instanceId, 'lose');
    await scene.deliver(seed);
    expect((await scene.store.db.actionPlans.get(plan.uuid)).state).toBe('ONGOING');
    const frozen = await scene.start('watcher-applier', limited);
    await scene.store.db.actionPlans.takeOver(plan.uuid, { instance: frozen.instanceId, host: scene.host, ttlMs: -1 });
    await scene.store.db.registry.transition(frozen.instanceId, 'lose');
    await scene.store.db.registry.transition(frozen.instanceId, 'return', { ttlMs: 60_000 });
    await scene.deliver(seed);
    expect((await scene.store.db.actionPlans.get(plan.uuid)).state).toBe('ONGOING');
    await scene.store.db.registry.transition(frozen.instanceId, 'lose');
    await scene.deliver(seed);
    expect((await scene.store.db.actionPlans.get(plan.uuid)).statusMessage).toContain('Quarantined: ');
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Store } from '#libs/store';
import { insertAction, insertActionPlan, insertAudit, insertPlanWorld, type PlanWorld, runSql, useStore } from '#tests';

let url: string;
let store: Store;
let world: PlanWorld;
beforeEach(async () => {
  ({ store, url } = await useStore());
  world = await insertPlanWorld(store.db, { plan: () => ({ state: 'SUCCEEDED', launchSeq: 1 }) });
});

const day = 86_400;
const execute = (sql: string) => runSql(url, sql);
/** Without the triggers that record the time of the change. */
const endedBefore = (seconds: number, uuids: readonly string[] | null = null) =>
  execute(`ALTER TABLE action_plans DISABLE TRIGGER USER;
    UPDATE action_plans SET created_at = now() - interval '${seconds} seconds', updated_at = NULL
    ${uuids ? `WHERE uuid IN ('${uuids.join("','")}')` : ''};
    ALTER TABLE action_plans ENABLE TRIGGER USER;`);
const plans = async () => (await store.db.actionPlans.list({ showDeleted: true })).map(({ uuid }) => uuid);

/** Plans of a continuous audit: each replaces the previous one before its start. */
async function insertMany(count: number, actionsEach: number): Promise<void> {
  await execute(`
    WITH plan AS (
      INSERT INTO action_plans (uuid, audit_id, strategy_id, state)
      SELECT gen_random_uuid(), ${world.audit.id}, ${world.strategy.id}, 'CANCELLED' FROM generate_series(1, ${count})
      RETURNING id
    ), indicator AS (
      INSERT INTO efficacy_indicators (uuid, name, value, action_plan_id) SELECT gen_random_uuid(), 'saved', 1, id FROM plan
    )
    INSERT INTO actions (uuid, action_plan_id, action_type, input_parameters, state)
    SELECT gen_random_uuid(), id, 'nop', '{}', 'CANCELLED' FROM plan, generate_series(1, ${actionsEach})`);
}

it('an audit keeps its newest ended plans; recommendations do not displace executed plans', async () => {
  await insertMany(350, 12);
  await endedBefore(3_600);
  const before = await store.changes.bounds();
  expect(await store.retention.prunePlans({ keepSeconds: day, keepPerAudit: 100 })).toEqual({
    plans: 250,
    actions: 3_000,
  });
  expect(await store.db.actionPlans.count()).toBe(101);
  expect(await plans()).toContain(world.plan.uuid);
  expect(await store.db.actions.count()).toBe(1_201);
  expect(await store.db.efficacyIndicators.count()).toBe(100);
  const kept = (await store.db.actionPlans.list()).map(({ id }) => id);
  expect(Math.min(...kept.filter((id) => id !== world.plan.id))).toBe(Math.max(...kept) - 99);
  // Followers of the stream receive every row.
  const { changes } = await changesSince(before.newest);
  expect(changes.filter(({ kind, op }) => kind === 'action_plan' && op === 'delete')).toHaveLength(250);

  expect(await store.retention.planTotals({ auditUuid: world.audit.uuid, limit: 10 })).toEqual([
    {
      auditUuid: world.audit.uuid,
      strategy: world.strategy.name,
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      state: 'CANCELLED',
      plans: 250,
      actions: 3_000,
      succeededActions: 0,
      failedActions: 0,
    },
  ]);
  expect(await store.retention.prunePlans({ keepSeconds: day, keepPerAudit: 100 })).toEqual({ plans: 0, actions: 0 });
});

it('plans that never started are removed within minutes, started ones after ten', async () => {
  await insertMany(120, 1);
  await execute(`INSERT INTO action_plans (uuid, audit_id, strategy_id, state, launch_seq)
    SELECT gen_random_uuid(), ${world.audit.id}, ${world.strategy.id}, 'SUCCEEDED', 1 FROM generate_series(1, 120)`);
  await endedBefore(120);
  expect(await store.retention.prunePlans({ keepSeconds: day, keepPerAudit: 100 })).toMatchObject({ plans: 20 });
  await endedBefore(700);
  expect(await store.retention.prunePlans({ keepSeconds: day, keepPerAudit: 100 })).toMatchObject({ plans: 21 });
  expect(await store.db.actionPlans.count()).toBe(200);
});

async function changesSince(revno: number) {
  const { epoch, newest } = await store.changes.bounds();
  return { changes: await store.changes.read({ epoch, revno }, newest - revno) };
}

it('old plans are removed, independent of their number, also deleted ones, each with its journal', async () => {
  await store.db.planRuns.start({ actionPlanId: world.plan.id, instance: 'x', fence: 1 });
  await store.db.planHosts.insert(world.plan.id, {
    modelTakenAt: '2026-01-01T00:00:00.000Z',
    hosts: [],
    unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
    moved: {},
  });
  await store.db.planObjectives.insert(world.plan.id, { objective: [], budget: null });
  const [action] = world.actions;
  await execute(`INSERT INTO action_attempts (action_id, attempt_no, fence) VALUES (${action?.id}, 1, 1)`);
  const deleted = await insertActionPlan(store.db, world.audit, world.strategy, () => ({ state: 'FAILED' }));
  await insertAction(store.db, deleted);
  await store.db.actionPlans.softDelete(deleted.uuid);
  await endedBefore(31 * day);
  // The time of deletion counts.
  expect(await store.retention.prunePlans({ keepSeconds: 30 * day, keepPerAudit: 0 })).toEqual({
    plans: 1,
    actions: 1,
  });
  expect(await plans()).toEqual([deleted.uuid]);
  await execute(`UPDATE action_plans SET deleted_at = now() - interval '31 days'`);
  expect(await store.retention.prunePlans({ keepSeconds: 30 * day, keepPerAudit: 0 })).toEqual({
    plans: 1,
    actions: 1,
  });
  expect(await plans()).toEqual([]);
});

it('open work stays: running work, rollbacks, waiting messages, recovery, and recent ends', async () => {
  const insert = (override: object) =>
    insertActionPlan(store.db, world.audit, world.strategy, () => ({ state: 'FAILED', launchSeq: 1, ...override }));
  const kept = [
    ...(await Promise.all(
      (['RECOMMENDED', 'PENDING', 'ONGOING', 'CANCELLING'] as const).map((state) => insert({ state })),
    )),
    await insert({ rollbackState: 'ONGOING' }),
    await insert({ runInstance: randomUUID() }),
  ];
  const undone = await insert({ state: 'SUCCEEDED' });
  const undoing = await insert({ state: 'ONGOING', rollsBack: undone.uuid });
  const running = await insert({});
  await insertAction(store.db, running, () => ({ state: 'ONGOING' }));
  const measured = await insert({ state: 'SUCCEEDED' });
  await store.db.outbox.add({ eventId: randomUUID(), type: 'outcome.measure', body: { plan_uuid: measured.uuid } });
  const orphaned = await insert({});
  await store.db.recovery.openJob({
    jobKey: `R7:${orphaned.uuid}`,
    rule: 'R7',
    subject: { kind: 'plan', uuid: orphaned.uuid },
    phase: 'start',
    timeLimitMs: 60_000,
  });
  const gone = await insert({});
  await endedBefore(31 * day);
  const fresh = await insert({});
  await store.retention.prunePlans({ keepSeconds: 30 * day, keepPerAudit: 1 });
  const left = [...kept, undone, undoing, running, measured, orphaned, fresh].map(({ uuid }) => uuid);
  expect((await plans()).sort()).toEqual(left.sort());
  expect(left).not.toContain(gone.uuid);
});

it('one call removes a limited number, by whole plans, and the next continues; each audit has a separate number', async () => {
  await insertMany(30, 10);
  const other = await insertAudit(store.db, world.strategy);
  await insertActionPlan(store.db, other, world.strategy, () => ({ state: 'SUPERSEDED' }));
  await endedBefore(3_600);
  const retention = { keepSeconds: day, keepPerAudit: 1, maxActions: 105 };
  expect(await store.retention.prunePlans(retention)).toEqual({ plans: 10, actions: 100 });
  expect(await store.retention.prunePlans(retention)).toEqual({ plans: 10, actions: 100 });
  expect(await store.retention.prunePlans(retention)).toEqual({ plans: 9, actions: 90 });
  expect(await store.db.actionPlans.count()).toBe(3);
});

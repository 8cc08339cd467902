import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type PurgeCounts, type PurgeOptions, purgeDatabase, type Store } from '#libs/store';
import { insertAction, insertPlanWorld, type PlanWorld, useStore } from '#tests';

let url: string;
let store: Store;
beforeEach(async () => {
  ({ store, url } = await useStore());
});

async function execute(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Numbers in order of `purgeKinds`. */
const numbers = (counts: PurgeCounts) => Object.values(counts).join(' ');

async function purge(options: Partial<PurgeOptions> = {}) {
  const confirmed: string[] = [];
  const result = await purgeDatabase(url, {
    logger: silentLogger,
    confirmLimit: async (counts) => Boolean(confirmed.push(`limit ${numbers(counts)}`)),
    confirm: async (counts) => Boolean(confirmed.push(numbers(counts))),
    ...options,
  });
  return { confirmed, counts: numbers(result.counts), isDone: result.isDone };
}

async function softDelete({ goal, strategy, audit, plan, actions }: PlanWorld): Promise<void> {
  for (const action of actions) await store.db.actions.softDelete(action.uuid);
  await store.db.actionPlans.softDelete(plan.uuid);
  await store.db.audits.softDelete(audit.uuid);
  await store.db.strategies.softDelete(strategy.uuid);
  await store.db.goals.softDelete(goal.uuid);
}

const all = { showDeleted: true };

it('removes deleted rows with all their related rows, and no others', async () => {
  const gone = await insertPlanWorld(store.db, { actions: 3 });
  const kept = await insertPlanWorld(store.db, { actions: 2 });
  const eventId = randomUUID();
  await store.db.outbox.add({ eventId, type: 'plan.launch', body: { plan_uuid: gone.plan.uuid, launch_seq: 1 } });
  await store.db.outbox.add({
    eventId: randomUUID(),
    type: 'plan.launch',
    body: { plan_uuid: kept.plan.uuid, launch_seq: 1 },
  });
  await store.db.inbox.record('applier', eventId);
  await store.db.planRuns.start({ actionPlanId: gone.plan.id, instance: 'x', fence: 1 });
  await store.db.planHosts.insert(gone.plan.id, {
    modelTakenAt: '2026-01-01T00:00:00.000Z',
    hosts: [],
    unplaced: { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 },
    moved: {},
  });
  await store.db.planObjectives.insert(gone.plan.id, { objective: [], budget: 5 });
  const author = { userId: 'mia', userName: 'mia', projectId: null, projectName: null };
  for (const { plan } of [gone, kept])
    await store.db.planComments.add(plan.id, { uuid: randomUUID(), text: 'seen', author });
  const found = { strategy: 'dummy', parameters: {}, modelTakenAt: '2026-01-01T00:00:00.000Z', variants: [] };
  for (const { audit } of [gone, kept]) await store.db.auditVariants.replace(audit.id, found);
  for (const { plan } of [gone, kept])
    await store.db.efficacyIndicators.insert({
      uuid: randomUUID(),
      name: 'saved',
      description: null,
      unit: null,
      value: 1,
      actionPlanId: plan.id,
    });
  await softDelete(gone);

  expect(await purge({ dryRun: true })).toEqual({ confirmed: [], counts: '1 1 0 1 1 3', isDone: false });
  expect(await purge({ confirm: async () => false })).toMatchObject({ isDone: false });
  expect(await store.db.actions.list(all)).toHaveLength(5);
  expect(await purge()).toEqual({ confirmed: ['1 1 0 1 1 3'], counts: '1 1 0 1 1 3', isDone: true });
  expect(await purge()).toEqual({ confirmed: [], counts: '0 0 0 0 0 0', isDone: false });
  expect((await store.db.actions.list(all)).map((action) => action.actionPlanUuid)).toEqual([
    kept.plan.uuid,
    kept.plan.uuid,
  ]);
  expect(await store.db.efficacyIndicators.list(all)).toHaveLength(1);
  expect(await store.db.auditVariants.find(kept.audit.id)).toEqual(found);
  expect(await store.db.planComments.counts([gone.plan.id, kept.plan.id])).toEqual(new Map([[kept.plan.id, 1]]));
  expect((await store.outboxQueue.backlog()).count).toBe(1);
  expect(await store.db.inbox.record('applier', eventId)).toBe(true);
});

it('with an age, removes only rows deleted before that, and related rows of any age', async () => {
  const [old, young] = [await insertPlanWorld(store.db), await insertPlanWorld(store.db)];
  for (const world of [old, young]) await softDelete(world);
  await execute(`UPDATE goals SET deleted_at = now() - interval '11 days' WHERE uuid = '${old.goal.uuid}'`);
  expect((await purge({ ageInDays: 20 })).counts).toBe('0 0 0 0 0 0');
  expect((await purge({ ageInDays: 10 })).counts).toBe('1 1 0 1 1 1');
  expect(await store.db.goals.list(all)).toHaveLength(1);
});

it('removes one deleted goal, by name or uuid', async () => {
  const [one, other, live] = [
    await insertPlanWorld(store.db),
    await insertPlanWorld(store.db),
    await insertPlanWorld(store.db),
  ];
  await softDelete(one);
  await softDelete(other);
  await expect(purge({ goal: live.goal.name })).rejects.toThrow(
    `The Goal resource ${live.goal.name} is not soft deleted`,
  );
  await expect(purge({ goal: 'nothing' })).rejects.toThrow('There is no goal nothing');
  expect((await purge({ goal: one.goal.name })).counts).toBe('1 1 0 1 1 1');
  expect((await purge({ goal: other.goal.uuid })).isDone).toBe(true);
});

it('removes whole goals up to the maximum number of rows', async () => {
  for (const actions of [2, 3, 4]) await softDelete(await insertPlanWorld(store.db, { actions }));
  expect(await purge({ maxNumber: 13, confirmLimit: async () => false })).toMatchObject({
    confirmed: [],
    isDone: false,
  });
  expect(await purge({ maxNumber: 13 })).toEqual({
    confirmed: ['limit 3 3 0 3 3 9', '2 2 0 2 2 5'],
    counts: '2 2 0 2 2 5',
    isDone: true,
  });
  expect(await purge({ maxNumber: 7 })).toMatchObject({ counts: '0 0 0 0 0 0', isDone: false });
  expect(await purge({ maxNumber: 8 })).toMatchObject({ confirmed: ['1 1 0 1 1 4'], isDone: true });
});

it('removes orphans, unless they are excluded or at work', async () => {
  const world = await insertPlanWorld(store.db);
  await store.db.audits.softDelete(world.audit.uuid);
  const busy = await insertPlanWorld(store.db, { plan: () => ({ state: 'ONGOING' }) });
  await store.db.audits.softDelete(busy.audit.uuid);
  expect((await purge({ excludeOrphans: true })).counts).toBe('0 0 0 0 0 0');
  expect((await purge()).counts).toBe('0 0 0 1 1 1');
  expect((await store.db.actionPlans.list()).map((plan) => plan.uuid)).toEqual([busy.plan.uuid]);
});

it('removes more than one batch', async () => {
  const world = await insertPlanWorld(store.db);
  await execute(
    `INSERT INTO actions (uuid, action_plan_id, action_type, input_parameters, deleted, deleted_at)
     SELECT gen_random_uuid(), ${world.plan.id}, 'nop', '{}', 1, now() FROM generate_series(1, 2300)`,
  );
  await insertAction(store.db, world.plan);
  expect((await purge()).counts).toBe('0 0 0 0 0 2300');
  expect(await store.db.actions.list(all)).toHaveLength(2);
});

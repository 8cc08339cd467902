import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { LeaseLostError } from '#libs/domain';
import { insertAction, insertActionPlan, insertPlanWorld, untilLockWait, useStore } from '#tests';

const { store, sql: other } = await useStore();
const world = await insertPlanWorld(store.db);

const lease = () => ({ instance: randomUUID(), host: 'applier', ttlMs: 600_000 });

async function claimedPlan() {
  const state = { state: 'PENDING', launchSeq: 1 } as const;
  const { uuid: plan } = await insertActionPlan(store.db, world.audit, world.strategy, () => state);
  const held = await store.db.actionPlans.claim(plan, lease());
  if (held?.fence == null) throw new Error('the plan could not be claimed');
  const { uuid: action } = await insertAction(store.db, held);
  return { plan, action, fence: held.fence };
}

async function takenOver(plan: string, fence: number): Promise<number> {
  await store.db.actionPlans.releaseLease(plan, fence);
  return (await store.db.actionPlans.takeOver(plan, lease()))?.fence ?? fence;
}

const start = (plan: string, fence: number, uuid: string) =>
  store.db.actionBatches.start(plan, fence, [{ uuid, startedAt: new Date(), intent: {} }]);
const end = (plan: string, fence: number, uuid: string) =>
  store.db.actionBatches.end(plan, fence, [
    { uuid, event: 'succeed', statusMessage: null, endReason: null, endedAt: new Date() },
  ]);
const stateOf = async (uuid: string) => (await store.db.actions.get(uuid)).state;

/**
 * Runs `write` while another transaction changes a row that it checks, then commits that transaction. Returns the
 * result.
 */
async function behind<Result>(change: string, uuid: string, write: () => Promise<Result>): Promise<Result> {
  await other.query('BEGIN');
  await other.query(change, [uuid]);
  const result = write();
  // The awaiting caller handles the rejection.
  result.catch(() => undefined);
  await untilLockWait(other);
  await other.query('COMMIT');
  return result;
}

test('CW-8: a holder whose plan was taken over neither starts nor ends an action', async () => {
  const { plan, action, fence } = await claimedPlan();
  const next = await takenOver(plan, fence);
  await expect(start(plan, fence, action)).rejects.toThrow(LeaseLostError);
  expect(await stateOf(action)).toBe('PENDING');
  expect((await start(plan, next, action)).size).toBe(1);
  await expect(end(plan, fence, action)).rejects.toThrow(LeaseLostError);
  expect(await stateOf(action)).toBe('ONGOING');
  expect((await end(plan, next, action)).size).toBe(1);
});

test('CW-8: a write of a former holder does not overwrite a concurrent take-over', async () => {
  const takeOver = `UPDATE action_plans SET fence = nextval('fence_seq') WHERE uuid = $1`;
  const { plan, action, fence } = await claimedPlan();
  await expect(behind(takeOver, plan, () => start(plan, fence, action))).rejects.toThrow(LeaseLostError);
  expect(await stateOf(action)).toBe('PENDING');
});

test('CW-12: a skip that commits while the action starts takes precedence', async () => {
  const { plan, action, fence } = await claimedPlan();
  const skip = `UPDATE actions SET state = 'SKIPPED' WHERE uuid = $1`;
  expect((await behind(skip, action, () => start(plan, fence, action))).size).toBe(0);
  expect(await stateOf(action)).toBe('SKIPPED');
});

test('CW-12: a pause or cancellation that commits while an action starts takes precedence', async () => {
  for (const change of [`state = 'CANCELLING'`, 'paused = true']) {
    const { plan, action, fence } = await claimedPlan();
    const sql = `UPDATE action_plans SET ${change} WHERE uuid = $1`;
    expect((await behind(sql, plan, () => start(plan, fence, action))).size).toBe(0);
    expect(await stateOf(action)).toBe('PENDING');
  }
});

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

const begin = (plan: string, fence: number, uuid: string) =>
  store.db.actionBatches.begin(plan, fence, [{ uuid, startedAt: new Date(), intent: {} }]);
const end = (plan: string, fence: number, uuid: string) =>
  store.db.actionBatches.end(plan, fence, [
    { uuid, event: 'succeed', statusMessage: null, endReason: null, endedAt: new Date() },
  ]);
const stateOf = async (uuid: string) => (await store.db.actions.get(uuid)).state;

/** Returns the result of `write` when another transaction changes a row that it checks, and commits only then. */
async function behind<Result>(change: string, uuid: string, write: () => Promise<Result>): Promise<Result> {
  await other.query('BEGIN');
  await other.query(change, [uuid]);
  const answer = write();
  // The awaiting caller handles its failure. Until then it is not unhandled.
  answer.catch(() => undefined);
  await untilLockWait(other);
  await other.query('COMMIT');
  return answer;
}

test('CW-8: a holder whose plan was taken over neither starts nor ends an action', async () => {
  const { plan, action, fence } = await claimedPlan();
  const next = await takenOver(plan, fence);
  await expect(begin(plan, fence, action)).rejects.toThrow(LeaseLostError);
  expect(await stateOf(action)).toBe('PENDING');
  expect((await begin(plan, next, action)).size).toBe(1);
  await expect(end(plan, fence, action)).rejects.toThrow(LeaseLostError);
  expect(await stateOf(action)).toBe('ONGOING');
  expect((await end(plan, next, action)).size).toBe(1);
});

test('CW-8: a take-over that commits while its former holder writes is not overwritten', async () => {
  const takeOver = `UPDATE action_plans SET fence = nextval('fence_seq') WHERE uuid = $1`;
  const { plan, action, fence } = await claimedPlan();
  await expect(behind(takeOver, plan, () => begin(plan, fence, action))).rejects.toThrow(LeaseLostError);
  expect(await stateOf(action)).toBe('PENDING');
});

test('CW-12: a skip that commits while the action starts wins', async () => {
  const { plan, action, fence } = await claimedPlan();
  const skip = `UPDATE actions SET state = 'SKIPPED' WHERE uuid = $1`;
  expect((await behind(skip, action, () => begin(plan, fence, action))).size).toBe(0);
  expect(await stateOf(action)).toBe('SKIPPED');
});

test('CW-12: a pause or a cancellation that commits while an action starts wins', async () => {
  for (const change of [`state = 'CANCELLING'`, 'paused = true']) {
    const { plan, action, fence } = await claimedPlan();
    const sql = `UPDATE action_plans SET ${change} WHERE uuid = $1`;
    expect((await behind(sql, plan, () => begin(plan, fence, action))).size).toBe(0);
    expect(await stateOf(action)).toBe('PENDING');
  }
});

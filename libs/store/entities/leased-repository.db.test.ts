import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Audit } from '#libs/domain';
import { insertActionPlan, insertAudit, insertPlanWorld, untilLockWait, useStore } from '#tests';
import type { LeasedRepository } from '../types.ts';

const { store, sql } = await useStore();
const world = await insertPlanWorld(store.db);

const lease = (instance: string, ttlMs = 600_000) => ({ instance, host: `host-of-${instance}`, ttlMs });
const pendingPlan = () =>
  insertActionPlan(store.db, world.audit, world.strategy, () => ({ state: 'PENDING', launchSeq: 1 }));
const pendingAudit = () => insertAudit(store.db, world.strategy);

/** Both kinds of leased work behind one interface. */
const kinds = [
  {
    kind: 'action plan',
    table: 'action_plans',
    repository: () => store.db.actionPlans as LeasedRepository<{ fence: number | null }>,
    pending: pendingPlan,
  },
  {
    kind: 'audit',
    table: 'audits',
    repository: () => store.db.audits as LeasedRepository<{ fence: number | null }>,
    pending: pendingAudit,
  },
];

async function listedUuids(pendingMs = 0): Promise<string[]> {
  return (await store.db.audits.findClaimable({ pendingMs, limit: 1000 })).map((entry) => entry.uuid);
}

async function expire(table: string, uuid: string): Promise<void> {
  await sql.query(`UPDATE ${table} SET lease_expires_at = now() - interval '1 second' WHERE uuid = $1`, [uuid]);
}

describe.each(kinds)('the lease on an $kind', ({ table, repository, pending }) => {
  test('a claim sets state, holder, fencing number and expiry', async () => {
    const { uuid } = await pending();
    const claimed = await repository().claim(uuid, lease('one'));
    expect(claimed).toMatchObject({ state: 'ONGOING', hostname: 'host-of-one', runInstance: 'one' });
    const { rows } = await sql.query(
      `SELECT extract(epoch FROM lease_expires_at - now()) AS left FROM ${table} WHERE uuid = $1`,
      [uuid],
    );
    expect(Number(rows[0].left)).toBeGreaterThan(300);
    expect(Number(rows[0].left)).toBeLessThanOrEqual(600);
  });

  test('exactly one of many concurrent claims succeeds', async () => {
    const { uuid } = await pending();
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => repository().claim(uuid, lease(`claimer-${index}`))),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  test('fencing numbers only increase', async () => {
    const { uuid } = await pending();
    const first = await repository().claim(uuid, lease('one'));
    await expire(table, uuid);
    const second = await repository().takeOver(uuid, lease('two'));
    expect(second?.fence).toBeGreaterThan(first?.fence ?? Number.POSITIVE_INFINITY);
  });

  test('work with an expired lease is taken over by one process', async () => {
    const { uuid } = await pending();
    await repository().claim(uuid, lease('one'));
    expect(await repository().takeOver(uuid, lease('two'))).toBeNull();
    await expire(table, uuid);
    const takers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => repository().takeOver(uuid, lease(`taker-${index}`))),
    );
    expect(takers.filter((taker) => taker !== null)).toHaveLength(1);
  });

  test('a lease of a few milliseconds expires without a release', async () => {
    const { uuid } = await pending();
    await repository().claim(uuid, lease('one', 40));
    await expect.poll(() => repository().takeOver(uuid, lease('two'))).toMatchObject({ runInstance: 'two' });
  });

  test('renewal needs the current fencing number', async () => {
    const { uuid } = await pending();
    const old = (await repository().claim(uuid, lease('one')))?.fence ?? 0;
    expect(await repository().renewLease(uuid, old, 60_000)).toBe(true);
    await expire(table, uuid);
    const present = (await repository().takeOver(uuid, lease('two')))?.fence ?? 0;
    expect(await repository().renewLease(uuid, old, 60_000)).toBe(false);
    expect(await repository().renewLease(uuid, present, 60_000)).toBe(true);
    expect(await repository().renewLease(randomUUID(), present, 60_000)).toBe(false);
  });

  test('renewal changes neither updated_at nor the change log', async () => {
    const { uuid } = await pending();
    const claimed = await repository().claim(uuid, lease('one'));
    const before = await sql.query(`SELECT updated_at FROM ${table} WHERE uuid = $1`, [uuid]);
    const { newest } = await store.changes.bounds();
    await repository().renewLease(uuid, claimed?.fence ?? 0, 60_000);
    expect((await sql.query(`SELECT updated_at FROM ${table} WHERE uuid = $1`, [uuid])).rows).toEqual(before.rows);
    expect((await store.changes.bounds()).newest).toBe(newest);
  });

  test('a released lease can be taken over immediately, but not by an old holder', async () => {
    const { uuid } = await pending();
    const fence = (await repository().claim(uuid, lease('one')))?.fence ?? 0;
    await repository().releaseLease(uuid, fence - 1);
    expect(await repository().takeOver(uuid, lease('two'))).toBeNull();
    await repository().releaseLease(uuid, fence);
    expect(await repository().renewLease(uuid, fence, 1_000)).toBe(false);
    expect(await repository().takeOver(uuid, lease('two'))).toMatchObject({ runInstance: 'two' });
  });

  test('work that waits long or has lost its holder is claimable', async () => {
    const waiting = await pending();
    const held = await pending();
    const lost = await pending();
    await repository().claim(held.uuid, lease('one'));
    await repository().claim(lost.uuid, lease('one'));
    await expire(table, lost.uuid);
    const claimable = await repository().findClaimable({ pendingMs: 0, limit: 100 });
    expect(claimable).toContainEqual({ uuid: waiting.uuid, expired: false });
    expect(claimable).toContainEqual({ uuid: lost.uuid, expired: true });
    expect(claimable.map((entry) => entry.uuid)).not.toContain(held.uuid);
    const patient = await repository().findClaimable({ pendingMs: 60_000, limit: 100 });
    expect(patient.map((entry) => entry.uuid)).not.toContain(waiting.uuid);
    expect(await repository().findClaimable({ pendingMs: 0, limit: 1 })).toHaveLength(1);
  });

  test('the longest waiting work is listed first', async () => {
    const work = [await pending(), await pending(), await pending()];
    for (const [hours, { uuid }] of work.entries())
      await sql.query(`UPDATE ${table} SET updated_at = now() - make_interval(hours => $2) WHERE uuid = $1`, [
        uuid,
        hours,
      ]);
    const listed = (await repository().findClaimable({ pendingMs: 0, limit: 10_000 })).map(({ uuid }) => uuid);
    const places = work.map(({ uuid }) => listed.indexOf(uuid));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => other - one));
  });

  test('claims of invalid uuids and of deleted rows fail', async () => {
    expect(await repository().claim('no uuid', lease('one'))).toBeNull();
    const { uuid } = await pending();
    await sql.query(`UPDATE ${table} SET deleted = id WHERE uuid = $1`, [uuid]);
    expect(await repository().claim(uuid, lease('one'))).toBeNull();
  });
});

test('a claim for an older launch is refused', async () => {
  const { uuid } = await pendingPlan();
  expect(await store.db.actionPlans.claim(uuid, lease('one'), { launchSeq: 2 })).toBeNull();
  expect(await store.db.actionPlans.claim(uuid, lease('one'), { launchSeq: 1 })).toMatchObject({ state: 'ONGOING' });
});

test('a plan that is being cancelled is taken over without a change of state', async () => {
  const { uuid } = await pendingPlan();
  await store.db.actionPlans.claim(uuid, lease('one'));
  await store.db.actionPlans.transition(uuid, 'requestCancel');
  await expire('action_plans', uuid);
  expect(await store.db.actionPlans.takeOver(uuid, lease('two'))).toMatchObject({ state: 'CANCELLING' });
});

test('runs of an audit are counted', async () => {
  const { uuid } = await pendingAudit();
  expect(await store.db.audits.claim(uuid, lease('one'))).toMatchObject({ attempts: 1 });
  await expire('audits', uuid);
  expect(await store.db.audits.takeOver(uuid, lease('two'))).toMatchObject({ attempts: 2 });
});

test('an audit that waits for its next run is neither listed nor taken over before it', async () => {
  const { uuid } = await pendingAudit();
  const fence = (await store.db.audits.claim(uuid, lease('one')))?.fence ?? 0;
  await store.db.audits.update(uuid, { nextRunTime: new Date('2100-01-01') });
  await store.db.audits.releaseLease(uuid, fence);
  const listed = async () =>
    (await store.db.audits.findClaimable({ pendingMs: 0, limit: 100 })).some((entry) => entry.uuid === uuid);
  expect(await listed()).toBe(false);
  expect(await store.db.audits.takeOver(uuid, lease('two'))).toBeNull();
  await store.db.audits.update(uuid, { nextRunTime: new Date('2000-01-01') });
  expect(await listed()).toBe(true);
  expect(await store.db.audits.takeOver(uuid, lease('two'))).toMatchObject({ runInstance: 'two' });
});

test('the writes of a former holder are refused', async () => {
  const { plan, actions } = await insertPlanWorld(store.db, { actions: 2, plan: () => ({ state: 'PENDING' }) });
  const [action, other] = actions;
  const old = (await store.db.actionPlans.claim(plan.uuid, lease('one')))?.fence ?? 0;
  const attempt = await store.db.actionAttempts.open(action?.id ?? 0, old);
  await store.db.actions.transition(action?.uuid ?? '', 'begin', { fence: old });
  await expire('action_plans', plan.uuid);
  const present = (await store.db.actionPlans.takeOver(plan.uuid, lease('two')))?.fence ?? 0;

  const lost = { code: 'lease_lost' };
  await expect(store.db.actions.transition(action?.uuid ?? '', 'succeed', { fence: old })).rejects.toMatchObject(lost);
  await expect(store.db.actions.cancelPending(plan.uuid, { fence: old })).rejects.toMatchObject(lost);
  await expect(store.db.actionPlans.transition(plan.uuid, 'succeed', { fence: old })).rejects.toMatchObject(lost);
  await expect(store.db.actionAttempts.open(action?.id ?? 0, old)).rejects.toMatchObject(lost);
  await expect(store.db.actionAttempts.write(attempt.id, old, { phase: 'x' })).rejects.toMatchObject(lost);
  expect((await store.db.actions.get(action?.uuid ?? '')).state).toBe('ONGOING');

  await store.db.actionAttempts.write(attempt.id, present, { phase: 'verified', ended: true });
  await store.db.actions.transition(action?.uuid ?? '', 'succeed', { fence: present });
  expect(await store.db.actions.cancelPending(plan.uuid, { fence: present })).toBe(1);
  expect((await store.db.actions.get(other?.uuid ?? '')).state).toBe('CANCELLED');
  const ended = await store.db.actionPlans.transition(plan.uuid, 'succeed', { fence: present });
  expect(ended).toMatchObject({ state: 'SUCCEEDED', runInstance: null, leaseExpiresAt: null, fence: present });
});

test('a take-over waits for a running guarded write, and follows it', async () => {
  const { plan, actions } = await insertPlanWorld(store.db, { plan: () => ({ state: 'PENDING' }) });
  const fence = (await store.db.actionPlans.claim(plan.uuid, lease('one')))?.fence ?? 0;
  await expire('action_plans', plan.uuid);
  const order: string[] = [];
  let takeOver: Promise<unknown> = Promise.resolve();
  await store.transaction(async (unit) => {
    await unit.actions.transition(actions[0]?.uuid ?? '', 'begin', { fence });
    takeOver = store.db.actionPlans.takeOver(plan.uuid, lease('two')).then(() => order.push('taken over'));
    await untilLockWait(sql);
    order.push('written');
  });
  await takeOver;
  expect(order).toEqual(['written', 'taken over']);
});

test('an audit that is triggered again refuses writes of the previous run', async () => {
  const { uuid } = await pendingAudit();
  const fence = (await store.db.audits.claim(uuid, lease('one')))?.fence ?? 0;
  await store.db.audits.transition(uuid, 'succeed', { fence });
  await store.db.audits.transition(uuid, 'retrigger');
  await expect(store.db.audits.transition(uuid, 'fail', { fence })).rejects.toMatchObject({ code: 'lease_lost' });
});

test('an EVENT audit that waits for its webhook is not listed, but one with a lost run is', async () => {
  const { uuid } = await insertAudit(store.db, world.strategy, () => ({ auditType: 'EVENT' }));
  expect(await listedUuids()).not.toContain(uuid);
  const fence = (await store.db.audits.claim(uuid, lease('one')))?.fence ?? 0;
  expect(await listedUuids()).not.toContain(uuid);
  await store.db.audits.releaseLease(uuid, fence);
  expect(await listedUuids()).toContain(uuid);
});

test('a CONTINUOUS audit is listed immediately within its window, and after its end', async () => {
  const past = new Date('2000-01-01');
  const future = new Date('2100-01-01');
  const create = async (change: Partial<Audit>) =>
    (await insertAudit(store.db, world.strategy, () => ({ auditType: 'CONTINUOUS', interval: '60', ...change }))).uuid;
  const fresh = await create({});
  const open = await create({ startTime: past, endTime: future });
  const early = await create({ startTime: future });
  const scheduled = await create({ nextRunTime: future });
  const over = await create({ nextRunTime: future, endTime: past });
  const listed = await listedUuids(60_000);
  expect(listed).toEqual(expect.arrayContaining([fresh, open, over]));
  expect(listed).not.toContain(early);
  expect(listed).not.toContain(scheduled);
});

test('a waiting audit has no holder and is taken over when it is due', async () => {
  const { uuid } = await insertAudit(store.db, world.strategy, () => ({ auditType: 'CONTINUOUS', interval: '60' }));
  const fence = (await store.db.audits.claim(uuid, lease('one')))?.fence ?? 0;
  const nextRunTime = new Date('2100-01-01');
  const waiting = await store.db.audits.transition(uuid, 'wait', { fence, set: { nextRunTime, attempts: 0 } });
  expect(waiting).toMatchObject({ state: 'ONGOING', runInstance: null, leaseExpiresAt: null, nextRunTime });
  expect(await store.db.audits.takeOver(uuid, lease('two'))).toBeNull();
  await store.db.audits.update(uuid, { nextRunTime: new Date('2000-01-01') });
  const takers = await Promise.all(
    [1, 2, 3, 4].map((index) => store.db.audits.takeOver(uuid, lease(`taker-${index}`))),
  );
  expect(takers.filter((taker) => taker !== null)).toHaveLength(1);
  await expect(store.db.audits.transition(uuid, 'wait', { fence })).rejects.toMatchObject({ code: 'lease_lost' });
});

test('a trigger of an EVENT audit resets the count of its runs', async () => {
  const { uuid } = await insertAudit(store.db, world.strategy, () => ({ auditType: 'EVENT' }));
  const fence = (await store.db.audits.claim(uuid, lease('one')))?.fence ?? 0;
  await store.db.audits.transition(uuid, 'succeed', { fence });
  await store.db.audits.transition(uuid, 'retrigger');
  expect(await store.db.audits.claim(uuid, lease('one'))).toMatchObject({ attempts: 1 });
});

test('started plans are listed before all others, independent of their waiting time', async () => {
  const [waiting, started] = [await pendingPlan(), await pendingPlan()];
  await store.db.actionPlans.claim(started.uuid, lease('dead'));
  await expire('action_plans', started.uuid);
  await sql.query(`UPDATE action_plans SET updated_at = now() + interval '1 hour' WHERE uuid = $1`, [started.uuid]);
  const found = (await store.db.actionPlans.findClaimable({ pendingMs: 0, limit: 10_000 })).map(({ uuid }) => uuid);
  expect(found).toContain(waiting.uuid);
  expect(found.indexOf(started.uuid)).toBeLessThan(found.indexOf(waiting.uuid));
});

test('the next lease end is that of the first valid lease', async () => {
  await sql.query('UPDATE action_plans SET lease_expires_at = NULL');
  expect(await store.db.actionPlans.nextLeaseEnd()).toBeNull();
  const plans = [await pendingPlan(), await pendingPlan(), await pendingPlan()];
  const lengths = [3_600_000, 7_200_000, 600_000];
  for (const [place, { uuid }] of plans.entries()) {
    await store.db.actionPlans.claim(uuid, lease(`holder ${place}`, lengths[place]));
  }
  await expire('action_plans', plans[2]?.uuid ?? '');
  const ms = (await store.db.actionPlans.nextLeaseEnd()) ?? 0;
  expect(ms).toBeGreaterThan(600_000);
  expect(ms).toBeLessThanOrEqual(3_600_000);
});

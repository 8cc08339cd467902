import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { AuditView, Store, UnitOfWork } from '#libs/store';
import { insertAudit, insertGoal, insertStrategy, useStore } from '#tests';
import type { ComputedPlan } from './compute-plan.ts';
import { createOngoingGuard } from './ongoing-guard.ts';
import { createRunEnd } from './run-end.ts';
import { storePlan } from './store-plan.ts';
import { computedWith } from './testing/computed-plan.ts';

const { store, sql } = await useStore();

beforeEach(async () => {
  await sql.query("UPDATE action_plans SET deleted = id WHERE state IN ('PENDING', 'ONGOING')");
});

/** The database becomes unavailable right after `method` of `part` in a transaction. */
function dyingAfter(part: 'actionPlans' | 'actions' | 'efficacyIndicators' | 'outbox', method: string): Store {
  const dying = (unit: UnitOfWork): UnitOfWork => ({
    ...unit,
    [part]: new Proxy(unit[part], {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name !== method || typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          await value.apply(target, given);
          throw new Error('gone');
        };
      },
    }),
  });
  return { ...store, transaction: (work) => store.transaction((unit) => work(dying(unit))) };
}

async function rowsLeft(): Promise<number[]> {
  const tables = ['action_plans', 'actions', 'efficacy_indicators', 'outbox'];
  const { rows } = await sql.query(
    tables.map((table) => `SELECT count(*)::int AS count FROM ${table}`).join(' UNION ALL '),
  );
  return rows.map(({ count }) => count);
}

it.each([
  ['CW-13', 'actionPlans', 'insert'],
  ['CW-13', 'actions', 'insertMany'],
  ['CW-13', 'efficacyIndicators', 'insertMany'],
  ['CW-14', 'actionPlans', 'transition'],
  ['CW-14', 'outbox', 'add'],
] as const)(
  '%s: an engine that ends after %s.%s leaves no part of a plan, and its audit to another one',
  async (...one) => {
    const [, part, method] = one;
    const strategy = await insertStrategy(store.db, await insertGoal(store.db));
    const { uuid } = await insertAudit(store.db, strategy, () => ({ autoTrigger: true }));
    const audit = await store.db.audits.claim(uuid, { instance: randomUUID(), host: 'engine', ttlMs: 600_000 });
    if (audit === null) throw new Error('the audit could not be claimed');
    const end = createRunEnd(audit, { store, logger: silentLogger });
    const how = { end, guard: createOngoingGuard(audit), newUuid: randomUUID };
    const before = await rowsLeft();

    const storing = storePlan(dyingAfter(part, method), audit, computedWith(strategy.name), how);
    await expect(storing).rejects.toThrow('gone');

    expect(await rowsLeft()).toEqual(before);
    expect(await store.db.audits.get(uuid)).toMatchObject({ state: 'ONGOING', fence: audit.fence });

    // A repetition stores all of it.
    const plan = await storePlan(store, audit, computedWith(strategy.name), how);
    expect(plan.state).toBe('PENDING');
    expect(await rowsLeft()).toEqual(before.map((count) => count + 1));
  },
);

it.each([
  ['the policy refuses its user', { autoTriggerRefused: true }, /policy does not allow action_plan:start for sam/],
  ['auto_trigger was removed during the run', { autoTrigger: false }, null],
] as const)('the engine starts no plan of an audit when %s', async (_case, change, reason) => {
  const user = { userId: 'sam', userName: null, projectId: null, projectName: null, roles: [] };
  const { audit, strategy, how } = await claimedAudit({ autoTriggerUser: user });
  await store.db.audits.update(audit.uuid, change);
  const plan = await storePlan(store, audit, computedWith(strategy.name), how);
  expect(plan.state).toBe('RECOMMENDED');
  if (reason === null) expect(plan.statusMessage).toBeNull();
  else expect(plan.statusMessage).toMatch(reason);
});

it.each([
  [0, 'CANCELLED', /only reports \(automation level 0\)/],
  [2, 'RECOMMENDED', /level 2: gains 0 points and frees 0 hosts, .*; actions of type nop/],
  [3, 'PENDING', null],
] as const)('a plan of an audit of level %i is %s', async (automationLevel, state, reason) => {
  const { audit, strategy, how } = await claimedAudit();
  await store.db.audits.update(audit.uuid, { automationLevel, autoTrigger: automationLevel >= 2 });
  const computed = computedWith(strategy.name);
  const plan = await storePlan(store, audit, { ...computed, hosts: { ...computed.hosts, quantities: [] } }, how);
  expect(plan.state).toBe(state);
  if (reason !== null) expect(plan.statusMessage).toMatch(reason);
});

it('level 2 starts a plan that switches off machines of empty hosts', async () => {
  const { audit, strategy, how } = await claimedAudit();
  await store.db.audits.update(audit.uuid, { automationLevel: 2, autoTrigger: true });
  const computed = computedWith(strategy.name);
  const inputParameters = { resource_id: randomUUID(), resource_name: 'compute-1', state: 'off' };
  const actions = computed.actions.map((action) => ({
    ...action,
    ...{ actionType: 'change_node_power_state', inputParameters },
  }));
  const types = [{ actionType: 'change_node_power_state', description: 'power', revertible: 'exact' as const }];
  await store.transaction((unit) => unit.actionDescriptions.replaceAll(types));
  const plan = await storePlan(
    store,
    audit,
    { ...computed, actions, hosts: { ...computed.hosts, quantities: [] } },
    how,
  );
  expect(plan).toMatchObject({ state: 'PENDING', statusMessage: null });
});

it('the engine starts no plan that deletes or shelves instances', async () => {
  const { audit, strategy, how } = await claimedAudit();
  const computed = computedWith(strategy.name);
  const removal = { actionType: 'shelve', inputParameters: { resource_id: randomUUID() } };
  const actions = computed.actions.map((action) => ({ ...action, ...removal }));
  const plan = await storePlan(store, audit, { ...computed, actions }, how);
  expect(plan).toMatchObject({ state: 'RECOMMENDED', statusMessage: expect.stringContaining('of type shelve') });
});

function signal(): { fired: Promise<void>; fire(): void } {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire: () => fire() };
}

/** A store whose transactions stop after `outbox.add` until the test continues them. */
function pausedAfterLaunch(): { store: Store; launched: Promise<void>; proceed(): void } {
  const launched = signal();
  const resumed = signal();
  const pausing = (unit: UnitOfWork): UnitOfWork => ({
    ...unit,
    outbox: {
      ...unit.outbox,
      async add(...given) {
        await unit.outbox.add(...given);
        launched.fire();
        await resumed.fired;
      },
    },
  });
  return {
    store: { ...store, transaction: (work) => store.transaction((unit) => work(pausing(unit))) },
    launched: launched.fired,
    proceed: resumed.fire,
  };
}

async function claimedAudit(change: Partial<AuditView> = {}) {
  const strategy = await insertStrategy(store.db, await insertGoal(store.db));
  const { uuid } = await insertAudit(store.db, strategy, () => ({ autoTrigger: true, ...change }));
  const audit = await store.db.audits.claim(uuid, { instance: randomUUID(), host: 'engine', ttlMs: 600_000 });
  if (audit === null) throw new Error('the audit could not be claimed');
  const end = createRunEnd(audit, { store, logger: silentLogger });
  return { audit, strategy, how: { end, guard: createOngoingGuard(audit), newUuid: randomUUID } };
}

const migrationTo = (host: string, from: string) => ({
  actionType: 'migrate',
  inputParameters: { migration_type: 'live', resource_id: randomUUID(), source_node: from, destination_node: host },
});

function computedMove(strategyName: string, host: string, from = 'from'): ComputedPlan {
  const computed = computedWith(strategyName);
  const picture = {
    ...computed.picture,
    hosts: [from, host].map((hostname) => ({ hostname, fingerprint: hostname })),
  };
  return {
    ...computed,
    picture,
    actions: computed.actions.map((action) => ({ ...action, ...migrationTo(host, from) })),
  };
}

const waitsForAdmission = async () => {
  const { rows } = await sql.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
  return rows.length > 0;
};

it('lets only one of two auto-triggered plans start when their transactions overlap', async () => {
  const [first, second] = [await claimedAudit(), await claimedAudit()];
  const paused = pausedAfterLaunch();
  const storing = storePlan(paused.store, first.audit, computedWith(first.strategy.name), first.how);
  await paused.launched;

  // The second transaction cannot see the plan of the first, which has not committed.
  const refused = expect(
    storePlan(store, second.audit, computedWith(second.strategy.name), second.how),
  ).rejects.toMatchObject({ code: 'action_plan_ongoing' });
  await expect.poll(waitsForAdmission).toBe(true);
  paused.proceed();

  expect((await storing).state).toBe('PENDING');
  await refused;
  const plans = await store.db.actionPlans.list({ filters: [{ field: 'auditId', value: second.audit.id }] });
  expect(plans).toEqual([]);
});

it('leaves the plan of a forced audit PENDING while another plan holds its hosts', async () => {
  const first = await claimedAudit();
  await storePlan(store, first.audit, computedMove(first.strategy.name, 'host-a'), first.how);
  const forced = await claimedAudit({ force: true });
  const plan = await storePlan(store, forced.audit, computedMove(forced.strategy.name, 'host-a'), forced.how);
  expect(plan).toMatchObject({ state: 'PENDING', forceStale: true });
});

it('stores a plan of given actions as confirmed, regardless of changes', async () => {
  const { audit, strategy, how } = await claimedAudit({ autoTrigger: false });
  const plan = await storePlan(store, audit, { ...computedMove(strategy.name, 'host-g'), neverStale: true }, how);
  expect(plan).toMatchObject({ state: 'RECOMMENDED', forceStale: true });
});

it('one of two plans that together exceed the budget of the cloud starts, when their transactions overlap', async () => {
  await sql.query("UPDATE actions SET ended_at = now() - interval '1 day' WHERE ended_at IS NOT NULL");
  const change = { auditType: 'CONTINUOUS', interval: '300', force: true } as const;
  const [first, second] = [await claimedAudit(change), await claimedAudit(change)];
  const limits = { cloudMovesPerHour: 1 };
  const paused = pausedAfterLaunch();
  const storing = storePlan(paused.store, first.audit, computedMove(first.strategy.name, 'host-b', 'from-b'), {
    ...first.how,
    limits,
  });
  await paused.launched;

  // The second transaction computed its plan from a ledger without the moves of the first.
  const other = storePlan(store, second.audit, computedMove(second.strategy.name, 'host-c', 'from-c'), {
    ...second.how,
    limits,
  });
  await expect.poll(waitsForAdmission).toBe(true);
  paused.proceed();

  expect((await storing).state).toBe('PENDING');
  expect(await other).toMatchObject({
    state: 'RECOMMENDED',
    statusMessage: expect.stringContaining('1 of at most 1 moves of the cloud'),
  });
});

it.each([
  ['of a ONESHOT audit', { auditType: 'ONESHOT' }, {}],
  ['by order', {}, { byOrder: true }],
  ['that relieves a hot host', {}, { urgentRules: ['hot'] }],
] as const)('no budget holds back a plan %s', async (_, auditChange, planChange) => {
  const change = { auditType: 'CONTINUOUS', interval: '300', force: true, ...auditChange } as const;
  const { audit, strategy, how } = await claimedAudit(change);
  const computed = computedMove(strategy.name, 'host-d');
  const actions = [...computed.actions, ...computedMove(strategy.name, 'host-e').actions].map((action) => ({
    ...action,
    reason: { ...action.reason, rule: 'hot' },
  }));
  const plan = await storePlan(
    store,
    audit,
    { ...computed, ...planChange, actions },
    {
      ...how,
      limits: { cloudMovesPerHour: 1 },
    },
  );
  expect(plan.state).toBe('PENDING');
});

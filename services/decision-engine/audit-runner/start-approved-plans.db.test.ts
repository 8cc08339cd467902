import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { parseApprovalRules, silentLogger } from '#libs/domain';
import { newSigningSecret } from '#libs/notification-targets';
import { insertAction, insertActionPlan, insertAudit, insertGoal, insertStrategy, useStore } from '#tests';
import { type ApprovedPlanDeps, startApprovedPlans } from './start-approved-plans.ts';
import { insertPlan } from './store-plan.ts';
import { computedWith } from './testing/computed-plan.ts';

const { store } = await useStore();
const { actionPlans, audits, hostVersions, planHolds } = store.db;
const strategy = await insertStrategy(store.db, await insertGoal(store.db));
const signal = new AbortController().signal;
const deps: ApprovedPlanDeps = {
  store,
  requestGain: async () => ({ gain: null, gainUnknownBecause: 'no engine', repeated: null }),
  urgentRulesOf: () => [],
  limits: {},
  newUuid: randomUUID,
  logger: silentLogger,
};
const sam = { userId: 'sam', userName: 'sam', projectId: null, projectName: null };

beforeEach(async () => {
  for (const { uuid } of await actionPlans.list()) await actionPlans.softDelete(uuid);
});

/** An approved plan of an `auto_trigger` audit, with one host of known version. */
async function approvedPlan() {
  const audit = await insertAudit(store.db, strategy, () => ({ autoTrigger: true }));
  const plan = await insertActionPlan(store.db, audit, strategy, () => ({ startsWhenApproved: true }));
  const hostname = randomUUID();
  await insertAction(store.db, plan, () => ({ actionType: 'nop', inputParameters: { resource_name: hostname } }));
  await hostVersions.observe([{ hostname, fingerprint: 'seen' }], 0);
  await planHolds.record(plan.id, [{ hostname, version: 1 }]);
  await actionPlans.wantApproval(plan.uuid, 'rule all: every plan');
  return {
    audit,
    uuid: plan.uuid,
    hostname,
    approve: () => actionPlans.decideApproval(plan.uuid, 'approve', { by: sam }),
  };
}

it('the engine stores a plan that a rule wants an approval of, and does not start it before', async () => {
  const audit = await insertAudit(store.db, strategy, () => ({ autoTrigger: true }));
  const approvalRules = parseApprovalRules('[{"name": "all"}]');
  const plan = await store.transaction((unit) =>
    insertPlan(unit, audit, computedWith(strategy.name), { newUuid: randomUUID, approvalRules }),
  );
  expect(plan).toMatchObject({ state: 'RECOMMENDED', approval: 'wanted', approvalReason: 'rule all: every plan' });
});

it('a plan of an auto_trigger audit starts when it is approved, and not before', async () => {
  const { uuid, approve } = await approvedPlan();
  await startApprovedPlans(deps, signal);
  expect(await actionPlans.get(uuid)).toMatchObject({ state: 'RECOMMENDED', approval: 'wanted' });
  await approve();
  await Promise.all([startApprovedPlans(deps, signal), startApprovedPlans(deps, signal)]);
  expect(await actionPlans.get(uuid)).toMatchObject({ state: 'PENDING', launchSeq: 1, approval: 'given' });
});

it('an approved plan stays when its audit no longer has auto_trigger', async () => {
  const { uuid, audit, approve } = await approvedPlan();
  await approve();
  await audits.update(audit.uuid, { autoTrigger: false });
  await startApprovedPlans(deps, signal);
  expect(await actionPlans.get(uuid)).toMatchObject({ state: 'RECOMMENDED', approval: 'given' });
});

it('each void approval is a notification that the plan waits for approval, with the reason', async () => {
  const target = { uuid: randomUUID(), name: 'chat', source: 'api', shownUrl: 'https://chat.example/' } as const;
  await store.db.notificationTargets.insert(
    { ...target, format: 'json', kinds: ['plan.approval_wanted'], enabled: true },
    { url: target.shownUrl, secret: newSigningSecret(), bearerToken: null },
  );
  const { uuid, hostname, approve } = await approvedPlan();
  for (const round of [1, 2]) {
    await approve();
    await hostVersions.raise([hostname]);
    await startApprovedPlans(deps, signal);
    await startApprovedPlans(deps, signal);
    const found = await store.db.notificationDeliveries.list({ limit: 10 });
    expect(found.filter(({ subject }) => subject === uuid)).toHaveLength(round);
    expect(found[0]).toMatchObject({ kind: 'plan.approval_wanted' });
    expect(found[0]?.data.reason).toContain('the approval of sam is void');
  }
});

it('the approval of a plan whose host changed is void, also of an audit that forces', async () => {
  const { uuid, audit, hostname, approve } = await approvedPlan();
  await audits.update(audit.uuid, { force: true });
  await approve();
  await hostVersions.raise([hostname]);
  await startApprovedPlans(deps, signal);
  expect(await actionPlans.get(uuid)).toMatchObject({
    state: 'RECOMMENDED',
    approval: 'wanted',
    approvalBy: null,
    approvalVoid: expect.stringContaining('the approval of sam is void: made before changes on 1 of its 1 host'),
  });
});

it('a plan waits for the plan that holds its hosts, and starts after that', async () => {
  const [first, second] = [await approvedPlan(), await approvedPlan()];
  const other = await actionPlans.get(second.uuid);
  await planHolds.record(other.id, [{ hostname: first.hostname, version: null }]);
  await first.approve();
  await startApprovedPlans(deps, signal);
  await second.approve();
  await startApprovedPlans(deps, signal);
  expect(await actionPlans.get(second.uuid)).toMatchObject({
    state: 'RECOMMENDED',
    approval: 'given',
    statusMessage: expect.stringContaining(`action plan ${first.uuid}`),
  });
  await actionPlans.transition(first.uuid, 'cancelBeforeStart');
  await startApprovedPlans(deps, signal);
  expect(await actionPlans.get(second.uuid)).toMatchObject({ state: 'PENDING', statusMessage: null });
});

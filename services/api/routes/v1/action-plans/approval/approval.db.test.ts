import { beforeEach, describe, expect, it } from 'vitest';
import { parseApprovalRules } from '#libs/domain';
import type { ActionPlanView } from '#libs/store';
import { insertAction } from '#tests';
import { createPolicy } from '../../../../auth/policy.ts';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../../../../testing/test-api.ts';

const rules = parseApprovalRules('[{"name": "migrations", "above_migrations": 0}]');
const policy = createPolicy({ 'action_plan:start': 'role:admin', 'action_plan:approve': 'role:approver' });
const api = await useTestApi({ policy, approvalRules: () => rules });
const seed = await seedCatalogue(api.store);
const { actionPlans, audits, hostVersions, planHolds } = api.store.db;
const mia = { 'X-User-Id': 'mia', 'X-User-Name': 'mia', 'X-Roles': 'admin,approver' };
const sam = { 'X-User-Id': 'sam', 'X-User-Name': 'sam', 'X-Roles': 'admin,approver' };
const eve = { 'X-User-Id': 'eve', 'X-User-Name': 'eve', 'X-Roles': 'admin' };

beforeEach(async () => {
  for (const { uuid } of await actionPlans.list({ filters: [{ field: 'state', value: 'PENDING' }] }))
    await actionPlans.transition(uuid, 'cancelBeforeStart');
});

/** A plan of an audit by mia with one migration and known versions of its hosts. */
async function migration({ autoTrigger = false } = {}): Promise<ActionPlanView & { destination: string }> {
  const [source, destination] = [crypto.randomUUID(), crypto.randomUUID()];
  const { plan, audit } = await seedPlan(api.store, seed, { actions: 0 });
  const user = { userId: 'mia', userName: 'mia', projectId: null, projectName: null };
  await audits.update(audit.uuid, { requester: user, autoTrigger });
  await insertAction(api.store.db, plan, () => ({
    actionType: 'migrate',
    inputParameters: { migration_type: 'live', source_node: source, destination_node: destination },
  }));
  const sightings = [source, destination].map((hostname) => ({ hostname, fingerprint: 'seen' }));
  const versions = await hostVersions.observe(sightings, 0);
  await planHolds.record(
    plan.id,
    [...versions].map(([hostname, version]) => ({ hostname, version })),
  );
  return { ...(await actionPlans.get(plan.uuid)), destination };
}

/** One that waits for approval. */
async function waiting(options?: Parameters<typeof migration>[0]) {
  const plan = await migration(options);
  await actionPlans.wantApproval(plan.uuid, 'rule migrations: 1 migrations, allowed 0');
  return plan;
}

const post = (plan: { uuid: string }, word: string, who: Record<string, string>, body: object = {}) =>
  api.send('POST', `/v1/action_plans/${plan.uuid}/${word}`, body, who);
const approvalOf = async ({ uuid }: { uuid: string }) =>
  (await api.get(`/v1/action_plans/${uuid}/approval`, mia)).json();
const startByState = (plan: { uuid: string }, who: Record<string, string>) =>
  api.send('PATCH', `/v1/action_plans/${plan.uuid}`, [{ op: 'replace', path: '/state', value: 'PENDING' }], who);

describe('a start', () => {
  it.each([
    ['a start request', (plan: ActionPlanView) => post(plan, 'start', mia)],
    ['a start with force_stale', (plan: ActionPlanView) => post(plan, 'start', mia, { force_stale: true })],
    ['a change of the state', (plan: ActionPlanView) => startByState(plan, mia)],
  ])('by %s is refused with the rules until another user approves', async (_, start) => {
    const plan = await migration();
    const refused = fault(await start(plan));
    expect(refused.status).toBe(409);
    expect(refused.text).toMatch(/waits for approval \(rule migrations: 1 migrations, allowed 0\)/);
    expect(await approvalOf(plan)).toMatchObject({ state: 'RECOMMENDED', approval: 'wanted', decided_by: null });

    expect((await post(plan, 'approve', sam, { comment: 'looks good' })).statusCode).toBe(200);
    expect((await start(plan)).statusCode).toBe(200);
    expect(await approvalOf(plan)).toMatchObject({
      state: 'PENDING',
      approval: 'given',
      decided_by: { user_id: 'sam', user_name: 'sam' },
      comment: 'looks good',
    });
  });

  it('of a plan that no rule wants an approval of needs none', async () => {
    const { plan } = await seedPlan(api.store, seed, { actions: 1 });
    expect((await post(plan, 'start', mia)).statusCode).toBe(200);
    expect(await approvalOf(plan)).toMatchObject({ approval: null, reason: null });
    expect((await post(plan, 'approve', sam)).statusCode).toBe(409);
  });

  it('of an approved plan skips no action that was approved', async () => {
    const plan = await waiting();
    await post(plan, 'approve', sam);
    const [action] = await api.store.db.actions.listByPlan(plan.uuid);
    const refused = await post(plan, 'start', mia, { skip_actions: [action?.uuid] });
    expect(fault(refused)).toMatchObject({ status: 409, text: expect.stringContaining('with all of its actions') });
  });
});

describe('a decision', () => {
  it('is for approvers that did not request the plan', async () => {
    const plan = await waiting({ autoTrigger: true });
    expect(fault(await post(plan, 'approve', eve))).toMatchObject({ status: 403, text: /action_plan:approve/ });
    for (const word of ['approve', 'refuse']) {
      const own = fault(await post(plan, word, mia, { comment: 'mine' }));
      expect(own).toMatchObject({ status: 403, text: expect.stringContaining('another user has to decide') });
    }
    const owner = { userId: 'sam', userName: 'sam', projectId: null, projectName: null, roles: [] };
    await audits.update(plan.auditUuid, { autoTriggerUser: owner });
    expect(fault(await post(plan, 'approve', sam))).toMatchObject({ status: 403 });
    await audits.update(plan.auditUuid, { autoTriggerUser: null, requester: null });
    expect(fault(await post(plan, 'approve', sam)).text).toContain('is not known');
    expect(await approvalOf(plan)).toMatchObject({ approval: 'wanted' });
  });

  it('takes the user from the token and not from the body', async () => {
    const plan = await waiting();
    const forged = await post(plan, 'approve', mia, { user_id: 'sam' });
    expect(fault(forged)).toMatchObject({ status: 400, text: expect.stringContaining('user_id') });
  });

  it('by two concurrent approvers has one winner', async () => {
    const plan = await waiting();
    const approvers = ['a', 'b', 'c', 'd'].map((name) => ({ ...sam, 'X-User-Id': name, 'X-User-Name': name }));
    const responses = await Promise.all(approvers.map((who) => post(plan, 'approve', who)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
  });

  it('that refuses cancels the plan with its comment, and needs one', async () => {
    const plan = await waiting();
    expect(fault(await post(plan, 'refuse', sam))).toMatchObject({ status: 400, text: /needs a comment/ });
    expect((await post(plan, 'refuse', sam, { comment: 'not on Friday' })).statusCode).toBe(200);
    expect(await actionPlans.get(plan.uuid)).toMatchObject({
      state: 'CANCELLED',
      approval: 'refused',
      statusMessage: 'Refused by sam: not on Friday',
    });
    const [action] = await api.store.db.actions.listByPlan(plan.uuid);
    expect(action?.state).toBe('CANCELLED');
    expect((await post(plan, 'approve', sam)).statusCode).toBe(409);
    expect((await post(plan, 'start', mia)).statusCode).toBe(400);
  });

  it.each([{ comment: 'x'.repeat(1001) }, { comment: 5 }, { force_stale: 'yes' }, { coment: 'x' }])(
    'with a wrong body is refused (%#)',
    async (body) => {
      expect((await post(await waiting(), 'approve', sam, body)).statusCode).toBe(400);
    },
  );

  it('and a concurrent start leave a plan that is approved or waits', async () => {
    for (let round = 0; round < 5; round += 1) {
      const plan = await waiting();
      const [approved, started] = await Promise.all([post(plan, 'approve', sam), post(plan, 'start', mia)]);
      expect(approved.statusCode).toBe(200);
      expect([200, 409]).toContain(started.statusCode);
      expect((await actionPlans.get(plan.uuid)).state).toBe(started.statusCode === 200 ? 'PENDING' : 'RECOMMENDED');
    }
  });

  it('and a refusal during a start leave no plan that is both refused and started', async () => {
    for (let round = 0; round < 5; round += 1) {
      const plan = await waiting();
      await post(plan, 'approve', sam);
      const [refused, started] = await Promise.all([
        post(plan, 'refuse', sam, { comment: 'no' }),
        post(plan, 'start', mia),
      ]);
      const { state, approval } = await actionPlans.get(plan.uuid);
      expect([`${state} ${approval}`, refused.statusCode === 200]).toEqual(
        started.statusCode === 200 ? ['PENDING given', false] : ['CANCELLED refused', true],
      );
    }
  });

  it('stays in the audit log', async () => {
    const plan = await waiting();
    await post(plan, 'approve', sam, { comment: 'seen' });
    const { rows } = await api.sql.query(
      "SELECT user_id, route FROM audit_log WHERE operation = 'approve_action_plan' AND target = $1",
      [plan.uuid],
    );
    expect(rows).toEqual([{ user_id: 'sam', route: '/v1/action_plans/:ident/approve' }]);
  });
});

describe('an approval', () => {
  it('is void when a host changes before the start, also for a forced one, and wanted again', async () => {
    const plan = await waiting();
    await post(plan, 'approve', sam);
    await hostVersions.raise([plan.destination]);
    const refused = fault(await post(plan, 'start', mia, { force_stale: true }));
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('the approval of sam is void') });
    expect(await approvalOf(plan)).toMatchObject({
      state: 'RECOMMENDED',
      approval: 'wanted',
      decided_by: null,
      void_because: expect.stringMatching(/^the approval of sam is void: made before changes on 1 of its 2 hosts; /),
    });
  });

  it('of a stale plan needs force_stale, and then holds for the hosts of that time', async () => {
    const plan = await waiting();
    await hostVersions.raise([plan.destination]);
    expect(fault(await post(plan, 'approve', sam))).toMatchObject({ status: 409, text: /is stale.*force_stale/s });
    expect((await post(plan, 'approve', sam, { force_stale: true })).statusCode).toBe(200);
    expect((await post(plan, 'start', mia)).statusCode).toBe(200);
  });

  it('is void when an action of the plan is skipped', async () => {
    const plan = await waiting();
    await post(plan, 'approve', sam);
    const [action] = await api.store.db.actions.listByPlan(plan.uuid);
    expect((await api.send('POST', `/v1/actions/${action?.uuid}/skip`, {}, mia)).statusCode).toBe(200);
    expect(await approvalOf(plan)).toMatchObject({
      approval: 'wanted',
      void_because: expect.stringContaining(`action ${action?.uuid} was skipped`),
    });
  });
});

it('a user who changes the future plans of an audit becomes its requester', async () => {
  const body = { audit_type: 'CONTINUOUS', interval: '600', goal: 'dummy', strategy: 'dummy' };
  const { uuid } = (await api.send('POST', '/v1/audits', body, mia)).json();
  expect(await audits.get(uuid)).toMatchObject({ requester: { userId: 'mia' } });
  const replace = (path: string, value: unknown) =>
    api.send('PATCH', `/v1/audits/${uuid}`, [{ op: 'replace', path, value }], sam);
  await replace('/name', 'renamed');
  expect(await audits.get(uuid)).toMatchObject({ requester: { userId: 'mia' } });
  await replace('/parameters', { para1: 4 });
  expect(await audits.get(uuid)).toMatchObject({ requester: { userId: 'sam' } });
});

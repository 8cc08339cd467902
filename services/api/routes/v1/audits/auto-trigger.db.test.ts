import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createPolicy } from '../../../auth/policy.ts';
import { fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';
import { recheckAutoTrigger } from './recheck-auto-trigger.ts';

const memberRules = { 'audit:create': 'role:member', 'audit:update': 'role:member', 'audit:get': 'role:member' };
const policy = createPolicy({ ...memberRules, 'action_plan:start': 'role:admin or role:starter' });
const api = await useTestApi({ policy });
await seedCatalogue(api.store);
const member = { 'X-User-Id': 'mia', 'X-Roles': 'member' };
const starter = { 'X-User-Id': 'sam', 'X-User-Name': 'sam', 'X-Roles': 'member,starter' };
const body = { audit_type: 'CONTINUOUS', interval: '600', goal: 'dummy', strategy: 'dummy' };
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
const refusal = { status: 403, text: "Policy doesn't allow action_plan:start to be performed." };

it('a user that may not start plans creates no audit that starts them', async () => {
  expect(fault(await api.send('POST', '/v1/audits', { ...body, auto_trigger: true }, member))).toEqual(refusal);
  expect((await api.send('POST', '/v1/audits', body, member)).statusCode).toBe(201);
});

it('a user that may not start plans neither sets auto_trigger nor changes an audit that has it', async () => {
  const { uuid } = (await api.send('POST', '/v1/audits', body, member)).json();
  const path = `/v1/audits/${uuid}`;
  expect(fault(await api.send('PATCH', path, replace('/auto_trigger', true), member))).toEqual(refusal);
  expect((await api.store.db.audits.get(uuid)).autoTrigger).toBe(false);
  expect((await api.send('PATCH', path, replace('/auto_trigger', true), starter)).statusCode).toBe(200);
  expect(await api.store.db.audits.get(uuid)).toMatchObject({ autoTriggerUser: { userId: 'sam' } });
  expect(fault(await api.send('PATCH', path, replace('/parameters', { para1: 4 }), member))).toEqual(refusal);
  expect((await api.send('PATCH', path, replace('/name', `renamed-${uuid}`), member)).statusCode).toBe(200);
  expect((await api.send('PATCH', path, replace('/auto_trigger', false), member)).statusCode).toBe(200);
});

it('a changed policy refuses and allows the users that set auto_trigger', async () => {
  const { uuid } = (await api.send('POST', '/v1/audits', { ...body, auto_trigger: true }, starter)).json();
  const recheck = (rule: string) =>
    recheckAutoTrigger({
      store: api.store,
      policy: createPolicy({ 'action_plan:start': rule }),
      logger: silentLogger,
    });
  await recheck('role:admin');
  expect(await api.store.db.audits.get(uuid)).toMatchObject({ autoTriggerRefused: true });
  await recheck('role:starter');
  expect(await api.store.db.audits.get(uuid)).toMatchObject({ autoTriggerRefused: false });
});

import { expect, it } from 'vitest';
import { maxPlanComments } from '#libs/store';
import { createPolicy } from '../../../../auth/policy.ts';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../../../testing/test-api.ts';
import { follow } from '../../../../testing/watch-client.ts';

const policy = createPolicy({
  'action_plan:get': 'rule:admin_api or role:reader or role:starter',
  'action_plan:start': 'rule:admin_api or role:starter',
});
const api = await useTestApi({ policy });
const seed = await seedCatalogue(api.store);
const url = await api.listen();
const mia = { 'X-User-Id': 'id-mia', 'X-User-Name': 'mia', 'X-Roles': 'admin' };
const as = (role: string) => ({ 'X-User-Id': `id-${role}`, 'X-User-Name': role, 'X-Roles': role });

const pathOf = ({ uuid }: { uuid: string }) => `/v1/action_plans/${uuid}/comments`;
const write = (plan: { uuid: string }, text: unknown, headers: Record<string, string> = mia) =>
  api.send('POST', pathOf(plan), { text }, headers);
const textsOf = async (plan: { uuid: string }) =>
  (await api.get(pathOf(plan), mia)).json().comments.map(({ text }: { text: string }) => text);

it('comments have the user of the token and the time, newest last', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const written = await write(plan, '  checked with storage\r\nand network ');
  expect(written.statusCode).toBe(201);
  const comment = written.json();
  expect(comment).toMatchObject({
    action_plan_uuid: plan.uuid,
    text: 'checked with storage\nand network',
    author: { user_id: 'id-mia', user_name: 'mia' },
  });
  expect(Math.abs(Date.now() - Date.parse(comment.created_at))).toBeLessThan(60_000);
  await write(plan, 'second', as('starter'));
  const { comments } = (await api.get(pathOf(plan), mia)).json();
  expect(comments).toMatchObject([comment, { text: 'second', author: { user_name: 'starter' } }]);
});

it('leave the plan unchanged for every client of Watcher', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const shown = async (minor: number) => {
    const { headers, body } = await api.get(`/v1/action_plans/${plan.uuid}`, { ...mia, ...at(minor) });
    return { etag: headers.etag, body };
  };
  const minors = [0, 1, 5, 7];
  const before = await Promise.all(minors.map(shown));
  await write(plan, 'seen');
  expect(await Promise.all(minors.map(shown))).toEqual(before);
});

it.each([
  ['no text', {}],
  ['an empty text', { text: ' \n ' }],
  ['2,001 characters', { text: 'x'.repeat(2001) }],
  ['a number', { text: 5 }],
  ['a control character', { text: 'red \u001b[31m' }],
  ['a zero byte', { text: 'a\u0000b' }],
  ['half a surrogate pair', { text: 'a\ud800b' }],
  ['an author', { text: 'x', user_id: 'id-sam' }],
])('a comment with %s is refused', async (_, body) => {
  const { plan } = await seedPlan(api.store, seed);
  const refused = await api.send('POST', pathOf(plan), body, mia);
  expect(fault(refused)).toMatchObject({ status: 400, text: expect.stringMatching(/text|user_id/) });
  expect(await textsOf(plan)).toEqual([]);
});

it('counts characters and not bytes', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const text = '🙂'.repeat(2000);
  expect((await write(plan, text)).statusCode).toBe(201);
  expect(await textsOf(plan)).toEqual([text]);
});

it('readers of the plan can read them, and users with a right to change or approve it can write them', async () => {
  const { plan } = await seedPlan(api.store, seed);
  expect((await write(plan, 'mine', as('starter'))).statusCode).toBe(201);
  expect((await api.get(pathOf(plan), as('reader'))).json().comments).toHaveLength(1);
  expect(fault(await write(plan, 'x', as('reader')))).toMatchObject({ status: 403, text: /action_plan:comment/ });
  // An approver may decide, and not read by default.
  expect(fault(await write(plan, 'x', as('approver')))).toMatchObject({ status: 403 });
  expect(fault(await api.get(pathOf(plan), as('other')))).toMatchObject({ status: 403, text: /get_comments/ });
});

it('an unknown or deleted plan has none', async () => {
  expect(fault(await write({ uuid: crypto.randomUUID() }, 'x')).status).toBe(404);
  expect(fault(await write({ uuid: 'plan' }, 'x')).status).toBe(400);
  const { plan } = await seedPlan(api.store, seed);
  await write(plan, 'kept');
  await api.store.db.actionPlans.softDelete(plan.uuid);
  expect(fault(await api.get(pathOf(plan), mia)).status).toBe(404);
  const deleted = { ...mia, 'X-Show-Deleted': 'true' };
  expect((await api.get(pathOf(plan), deleted)).json().comments).toHaveLength(1);
  expect(fault(await write(plan, 'x', deleted)).status).toBe(404);
});

it('a plan keeps a bounded number, even when they are written concurrently', async () => {
  const { plan } = await seedPlan(api.store, seed);
  await api.sql.query(
    `INSERT INTO plan_comments (uuid, plan_id, text, author)
     SELECT gen_random_uuid(), $1, 'c' || n, '{"userId": "u", "userName": "u"}'
     FROM generate_series(3, $2::integer) AS n`,
    [plan.id, maxPlanComments],
  );
  const responses = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => write(plan, text)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409]);
  expect(await textsOf(plan)).toHaveLength(maxPlanComments);
  expect(fault(await write(plan, 'more')).text).toContain(`has ${maxPlanComments} comments`);
});

it('a repeated request with an idempotency key writes one comment', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const keyed = { ...mia, 'Idempotency-Key': crypto.randomUUID() };
  const [first, again] = [await write(plan, 'once', keyed), await write(plan, 'once', keyed)];
  expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
  expect(fault(await write(plan, 'other', keyed)).status).toBe(422);
  expect(await textsOf(plan)).toEqual(['once']);
});

it('stay in the audit log', async () => {
  const { plan } = await seedPlan(api.store, seed);
  await write(plan, 'seen');
  const { rows } = await api.sql.query(
    "SELECT user_id, changes FROM audit_log WHERE operation = 'create_action_plan_comment' AND target = $1",
    [plan.uuid],
  );
  expect(rows).toMatchObject([{ user_id: 'id-mia', changes: expect.anything() }]);
  expect(JSON.stringify(rows[0]?.changes)).toContain('seen');
});

it('a follower of the plan is sent their number', async () => {
  const { plan } = await seedPlan(api.store, seed);
  const followed = follow(url, { plan: plan.uuid, kinds: ['action_plan'] });
  const shown = () => followed.state.get(`action_plan ${plan.uuid}`)?.comments;
  await followed.until(() => shown() === 0);
  await write(plan, 'one');
  await followed.until(() => shown() === 1);
  await followed.stop();
});

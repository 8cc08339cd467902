import { beforeEach, expect, it } from 'vitest';
import { newSigningSecret } from '#libs/notification-targets';
import { newUuid } from '#libs/service-kit';
import { untilLockWait } from '#tests';
import { fault, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
const path = '/v1/notification_targets';
const deliveries = '/v1/notification_deliveries';
const pager = { name: 'pager', url: 'https://receiver.example/hook?key=hidden-word' };
beforeEach(async () => {
  await api.sql.query('DELETE FROM notification_targets');
});

const post = (body: object, to = path) => api.send('POST', to, body);
const patch = (name: string, body: object) => api.send('PATCH', `${path}/${name}`, body);

it('a target is created with a secret that only that response shows', async () => {
  const made = await post({ ...pager, kinds: ['plan.failed'], bearer_token: 'hidden-word' });
  expect(made.statusCode, made.body).toBe(201);
  const { secret, ...target } = made.json();
  expect(secret).toMatch(/^whsec_/);
  expect(made.headers['cache-control']).toBe('no-store');
  expect(target).toMatchObject({
    name: 'pager',
    source: 'api',
    url: 'https://receiver.example/hook?…',
    format: 'json',
    kinds: ['plan.failed'],
    enabled: true,
    pending: 0,
    dead: 0,
  });
  for (const ident of [target.uuid, 'pager']) expect((await api.get(`${path}/${ident}`)).json()).toEqual(target);
  expect((await api.get(path)).json()).toEqual({ notification_targets: [target] });
  const stored = (await api.sql.query('SELECT * FROM notification_secrets')).rows;
  expect(stored).toMatchObject([{ url: pager.url, secret, bearer_token: 'hidden-word' }]);
  expect(JSON.stringify((await api.sql.query('SELECT * FROM audit_log')).rows)).not.toMatch(/hidden-word|whsec_/);
});

it('a secret that the client gives is used, and not shown', async () => {
  const secret = newSigningSecret();
  expect((await post({ ...pager, secret })).json().secret).toBeNull();
  const stored = (await api.sql.query('SELECT secret FROM notification_secrets')).rows;
  expect(stored).toEqual([{ secret }]);
});

it('a change keeps the fields and secrets that it does not name', async () => {
  const { secret } = (await post({ ...pager, bearer_token: 'word' })).json();
  expect((await patch('pager', { name: 'chat', kinds: ['plan.failed'], enabled: false })).json()).toMatchObject({
    name: 'chat',
    kinds: ['plan.failed'],
    enabled: false,
    url: 'https://receiver.example/hook?…',
  });
  const secrets = async () =>
    (await api.sql.query('SELECT url, secret, bearer_token FROM notification_secrets')).rows[0];
  expect(await secrets()).toEqual({ url: pager.url, secret, bearer_token: 'word' });
  await patch('chat', { url: 'https://receiver.example/other' });
  expect(await secrets()).toMatchObject({ bearer_token: 'word' });
  await patch('chat', { url: 'https://elsewhere.example/other' });
  expect(await secrets()).toEqual({ url: 'https://elsewhere.example/other', secret, bearer_token: null });
  expect((await patch('chat', { kinds: null, bearer_token: null })).json().kinds).toBeNull();
  expect(fault(await patch('chat', { format: 'slack' }))).toMatchObject({
    status: 400,
    text: expect.stringContaining('needs the url again'),
  });
  const moved = await patch('chat', { format: 'slack', url: 'https://hooks.slack.com/services/T/B/x' });
  expect(moved.json()).toMatchObject({ format: 'slack', url: 'https://hooks.slack.com/…' });
  expect((await patch('chat', { secret: newSigningSecret() })).json().rotated_at).not.toBeNull();
  const rotated = (await post({}, `${path}/chat/rotate`)).json();
  expect(rotated).toMatchObject({ name: 'chat', rotated_at: expect.any(String) });
  expect(await secrets()).toEqual({
    url: 'https://hooks.slack.com/services/T/B/x',
    secret: rotated.secret,
    bearer_token: null,
  });
  expect(rotated.secret).not.toBe(secret);
});

it.each<[object, string]>([
  [{ name: 'a' }, 'url'],
  [{ url: pager.url }, 'name'],
  [{ ...pager, name: ' ' }, 'name'],
  [{ ...pager, name: 'x'.repeat(256) }, 'At most 255'],
  [{ ...pager, format: 'slak' }, 'Did you mean slack?'],
  [{ ...pager, kinds: ['plan.faild'] }, 'Did you mean plan.failed?'],
  [{ ...pager, kinds: ['target.test'] }, 'Must be one of'],
  [{ ...pager, kinds: [] }, '1 to 20 kinds'],
  [{ ...pager, kinds: 'all' }, 'kinds'],
  [{ ...pager, enabled: 'yes' }, 'enabled'],
  [{ ...pager, urls: 'x' }, 'did you mean "url"?'],
  [{ ...pager, url: 'http://receiver.example/hidden-word' }, 'https://'],
  [{ ...pager, url: 'https://127.0.0.1/hidden-word' }, 'loopback'],
  [{ ...pager, url: 'https://[::ffff:10.0.0.1]/' }, 'IPv4-mapped'],
  [{ ...pager, url: 'https://u:hidden-word@a.example/' }, 'user or password'],
  [{ ...pager, url: 7 }, 'A text is expected'],
  [{ ...pager, format: 'matrix' }, 'path of a Matrix room'],
  [{ ...pager, secret: 'hidden-word' }, '24 to 64 bytes'],
  [{ ...pager, bearer_token: 'hidden-word\r\nX: y' }, 'printable characters'],
])('refuses %j without repeating a secret', async (body, text) => {
  const refused = await post(body);
  expect(fault(refused)).toMatchObject({ status: 400, text: expect.stringContaining(text) });
  expect(refused.body).not.toContain('hidden-word');
});

it('a name is taken once, and at most 100 targets exist', async () => {
  await post(pager);
  expect(fault(await post(pager))).toMatchObject({ status: 409, text: 'A notification target pager already exists' });
  await api.sql.query(`INSERT INTO notification_targets (uuid, name, source, shown_url, format, enabled)
    SELECT gen_random_uuid(), 'many-' || n, 'api', '', 'json', true FROM generate_series(1, 98) n`);
  const both = await Promise.all(['one', 'two'].map((name) => post({ ...pager, name })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
});

it('a target of the configuration can be tested, and not changed', async () => {
  await api.sql.query(`INSERT INTO notification_targets (uuid, name, source, shown_url, format, enabled)
    VALUES (gen_random_uuid(), 'fixed', 'configuration', 'https://a.example/', 'json', true)`);
  for (const refused of [
    await patch('fixed', { enabled: false }),
    await post({}, `${path}/fixed/rotate`),
    await api.send('DELETE', `${path}/fixed`),
  ])
    expect(fault(refused)).toMatchObject({ status: 409, text: expect.stringContaining('VIGIL_NOTIFICATION_TARGETS') });
  expect((await post({}, `${path}/fixed/test`)).statusCode).toBe(202);
});

it('a test of a target that is deleted concurrently returns 404', async () => {
  await post(pager);
  await api.sql.query('BEGIN');
  await api.sql.query('DELETE FROM notification_targets');
  const test = post({}, `${path}/pager/test`);
  await untilLockWait(api.sql);
  await api.sql.query('COMMIT');
  expect(fault(await test)).toMatchObject({ status: 404, text: expect.stringContaining('pager') });
});

it('deliveries are listed by target and state, page by page, and a dead letter is sent again', async () => {
  await post(pager);
  await post({ ...pager, name: 'other' });
  const tests = [];
  for (const name of ['pager', 'pager', 'pager', 'other']) tests.push((await post({}, `${path}/${name}/test`)).json());
  expect(tests[0]).toMatchObject({
    target_name: 'pager',
    kind: 'target.test',
    state: 'PENDING',
    text: 'Test of notification target pager',
  });
  const list = async (query: string) => (await api.get(`${deliveries}?${query}`)).json();
  const first = await list('target=pager&limit=2');
  const names = ({ notification_deliveries: rows }: { notification_deliveries: { uuid: string }[] }) =>
    rows.map(({ uuid }) => uuid);
  expect(names(first)).toEqual([tests[2].uuid, tests[1].uuid]);
  expect(names(await list(`target=pager&limit=2&marker=${first.next}`))).toEqual([tests[0].uuid]);

  const { uuid } = tests[0];
  expect(fault(await post({}, `${deliveries}/${uuid}/resend`)).status).toBe(409);
  await api.sql.query(
    `UPDATE notification_deliveries SET state = 'DEAD', reason = 'gone', attempts = 12,
    ended_at = now() WHERE uuid = $1`,
    [uuid],
  );
  expect(names(await list('state=dead'))).toEqual([uuid]);
  expect((await api.get(`${path}/pager`)).json()).toMatchObject({ dead: 1, pending: 2 });
  const resent = await post({}, `${deliveries}/${uuid}/resend`);
  expect(resent.statusCode).toBe(202);
  expect(resent.json()).toMatchObject({
    uuid,
    state: 'PENDING',
    attempts: 0,
    reason: null,
    resent_at: expect.any(String),
  });
  expect((await api.get(`${deliveries}/${uuid}`)).json()).toEqual(resent.json());
  await patch('pager', { enabled: false });
  expect(fault(await post({}, `${path}/pager/test`))).toMatchObject({
    status: 409,
    text: expect.stringContaining('disabled'),
  });
  expect((await api.send('DELETE', `${path}/pager`)).statusCode).toBe(204);
  expect(names(await list(''))).toEqual([tests[3].uuid]);
});

it.each([
  [`${deliveries}?state=DAED`, 400, 'Did you mean DEAD?'],
  [`${deliveries}?limit=0`, 400, 'positive'],
  [`${deliveries}?marker=x`, 400, 'uuid'],
  [`${deliveries}?marker=${newUuid()}`, 404, 'NotificationDelivery'],
  [`${deliveries}?target=nothing`, 404, 'nothing'],
  [`${deliveries}?page=1`, 400, 'page'],
  [`${deliveries}/x`, 404, 'x'],
  [`${path}/nothing`, 404, 'nothing'],
])('GET %s is refused with %i', async (url, status, text) => {
  expect(fault(await api.get(url))).toMatchObject({ status, text: expect.stringContaining(text) });
});

it('only administrators may, by default', async () => {
  const member = { 'X-Roles': 'member' };
  expect((await api.get(path, member)).statusCode).toBe(403);
  expect((await api.send('POST', path, pager, member)).statusCode).toBe(403);
});

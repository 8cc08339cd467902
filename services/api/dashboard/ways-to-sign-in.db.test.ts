import { expect, it } from 'vitest';
import type { Credentials, IdentityPort, ValidatedToken } from '#libs/openstack';
import { useTestApi } from '../testing/test-api.ts';

const unscoped: ValidatedToken = {
  userId: 'u',
  userName: 'ann',
  projectId: null,
  projectName: null,
  domainId: null,
  roles: [],
  expiresAt: '2999-01-01T00:00:00Z',
};
const inProject = (projectId: string): ValidatedToken => ({
  ...unscoped,
  projectId,
  projectName: `name of ${projectId}`,
  roles: projectId === 'p1' ? ['admin'] : ['reader'],
});
const tokens: Record<string, ValidatedToken> = {
  federated: unscoped,
  only: { ...unscoped, userId: 'b', userName: 'bob' },
  'in-p1': inProject('p1'),
  'in-p2': inProject('p2'),
};
const project = (id: string) => ({ id, name: `name of ${id}`, domainId: 'default' });
const revoked: string[] = [];

function signIn(credentials: Credentials): string | null {
  if (credentials.kind === 'application-credential') return credentials.secret === 'right' ? 'in-p1' : null;
  if (credentials.kind !== 'token' || credentials.project === null || !('id' in credentials.project)) return null;
  return ['p1', 'p2'].includes(credentials.project.id) ? `in-${credentials.project.id}` : null;
}
const identity: IdentityPort = {
  token: async () => 'service-token',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async (credentials) => signIn(credentials),
  projects: async (token) => (token === 'only' ? [project('p2')] : [project('p1'), project('p2')]),
  validate: async (token) => tokens[token] ?? null,
  revoke: async (token) => void revoked.push(token),
};
const keystone = 'https://keystone.example:5000';
const ours = { 'x-vigil-dashboard': '1', origin: 'http://localhost', host: 'localhost' };

const api = await useTestApi({
  authMode: 'keystone',
  identity,
  tokenCacheSeconds: 0,
  sessionIdleSeconds: 900,
  webSso: { keystoneUrl: `${keystone}/v3`, choices: [{ id: 'acme/saml2', label: 'Acme' }] },
});

const cookiesOf = (response: { headers: Record<string, unknown> }) =>
  [response.headers['set-cookie'] ?? []].flat().map(String);
const cookieOf = (response: { headers: Record<string, unknown> }, name: string) =>
  cookiesOf(response)
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';
const start = (headers: object = ours) =>
  api.send('POST', '/dashboard/session/websso/start', { choice: 'acme/saml2' }, { ...headers });
const post = (token: string, headers: Record<string, string>) =>
  api.app.inject({
    method: 'POST',
    url: '/dashboard/session/websso',
    headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ token }).toString(),
  });
const session = async (cookie: string) => (await api.get('/dashboard/session', { ...ours, cookie })).json();

it('by application credential, which determines user and project', async () => {
  const body = { application_credential_id: 'c', application_credential_secret: 'right' };
  const response = await api.send('POST', '/dashboard/session', body, ours);
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({ user: 'ann', project: 'name of p1', seconds_left: 900, idle_seconds: 900 });
  const refused = await api.send('POST', '/dashboard/session', { ...body, application_credential_secret: 'no' }, ours);
  expect(refused.statusCode).toBe(401);
  expect(refused.body).toContain('application credential');
  const empty = await api.send('POST', '/dashboard/session', { application_credential_id: 'c' }, ours);
  expect(empty.statusCode).toBe(400);
});

it('at Keystone’s federation: redirected, accepted from its origin only, and only in the browser that started', async () => {
  expect(await session('')).toMatchObject({ signed_in: false, web_sso: [{ id: 'acme/saml2', label: 'Acme' }] });
  expect((await start({ ...ours, origin: 'http://evil.example' })).statusCode).toBe(403);
  expect((await api.send('POST', '/dashboard/session/websso/start', { choice: 'other' }, ours)).statusCode).toBe(400);
  const started = await start({ ...ours, origin: 'https://localhost' });
  const url = `${keystone}/v3/auth/OS-FEDERATION/identity_providers/acme/protocols/saml2/websso`;
  const origin = encodeURIComponent('https://localhost/dashboard/session/websso');
  expect(started.json()).toEqual({ url: `${url}?origin=${origin}` });
  expect(cookiesOf(started)[0]).toMatch(/; Path=\/dashboard\/session\/websso; HttpOnly; Secure; SameSite=None$/);
  const cookie = cookieOf(started, 'vigil_websso');

  for (const other of ['https://evil.example', 'null', 'https://localhost'])
    expect((await post('only', { cookie, origin: other })).statusCode).toBe(403);
  expect((await post('only', { cookie })).statusCode).toBe(403);
  const unsolicited = await post('only', { origin: keystone });
  expect(unsolicited).toMatchObject({ statusCode: 401, headers: { refresh: '0; url=/dashboard/?sign-in=not-asked' } });
  const refused = await post('nonsense', { cookie, origin: keystone });
  expect(refused).toMatchObject({ statusCode: 401, headers: { refresh: '0; url=/dashboard/?sign-in=refused' } });
  expect(cookieOf(refused, 'vigil_session')).toBe('');

  // A user with one project gets it automatically.
  const done = await post('only', { cookie, origin: keystone });
  expect(done).toMatchObject({ statusCode: 303, headers: { location: '/dashboard/' } });
  expect(cookiesOf(done).find((each) => each.startsWith('vigil_session='))).toMatch(
    /; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(await session(cookieOf(done, 'vigil_session'))).toMatchObject({ signed_in: true, project_id: 'p2' });
});

it('in one of several projects, and on in another, each with the roles there', async () => {
  const cookie = cookieOf(await start(), 'vigil_websso');
  const first = cookieOf(await post('federated', { cookie, origin: keystone }), 'vigil_session');
  expect(await session(first)).toMatchObject({ user: 'ann', project_id: null, permissions: [] });
  expect((await api.get('/v1/goals', { ...ours, cookie: first })).statusCode).toBe(403);
  const listed = await api.get('/dashboard/session/projects', { ...ours, cookie: first });
  expect(listed.json().projects.map(({ id }: { id: string }) => id)).toEqual(['p1', 'p2']);
  expect((await api.get('/dashboard/session/projects', ours)).statusCode).toBe(401);

  const choose = (id: string, with_: string, headers: object = ours) =>
    api.send('POST', '/dashboard/session/project', { project: id }, { ...headers, cookie: with_ });
  expect((await choose('p1', first, { ...ours, origin: 'http://evil.example' })).statusCode).toBe(403);
  expect((await choose('none', first)).statusCode).toBe(403);
  expect((await choose('../p1', first)).statusCode).toBe(400);
  const inFirst = await choose('p1', first);
  expect(inFirst.json()).toMatchObject({ project: 'name of p1', roles: ['admin'] });
  const second = cookieOf(inFirst, 'vigil_session');
  expect((await api.get('/v1/goals', { ...ours, cookie: second })).statusCode).toBe(200);
  expect((await session(first)).signed_in).toBe(false);
  expect(revoked).toEqual(['federated']);
  const inSecond = cookieOf(await choose('p2', second), 'vigil_session');
  expect((await api.get('/v1/goals', { ...ours, cookie: inSecond })).statusCode).toBe(403);
  const logged = async () =>
    (await api.store.db.auditLog.list({ targetKind: 'session', limit: 3 })).map(({ operation, projectId }) => [
      operation,
      projectId,
    ]);
  await expect.poll(logged).toEqual([
    ['switch_project', 'p2'],
    ['switch_project', 'p1'],
    ['sign_in', null],
  ]);
});

it('the API limits anonymous posts of a web sign-in, also those from other pages', async () => {
  const limited = await useTestApi({
    authMode: 'keystone',
    identity,
    webSso: { keystoneUrl: `${keystone}/v3`, choices: [{ id: 'acme/saml2', label: 'Acme' }] },
  });
  const statuses = [];
  for (let round = 0; round < 15; round += 1) {
    const headers = { host: 'localhost', origin: 'http://evil.example' };
    statuses.push((await limited.app.inject({ method: 'POST', url: '/dashboard/session/websso', headers })).statusCode);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(403));
  expect(statuses.at(-1)).toBe(429);
});

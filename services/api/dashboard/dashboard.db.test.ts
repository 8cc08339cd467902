import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';
import { atEnd, connectStore, runSql } from '#tests';
import { useTestApi } from '../testing/test-api.ts';
import { hashOfSession, openToken, sealToken } from './session-secret.ts';

const validToken: ValidatedToken = {
  userId: 'u',
  userName: 'ann',
  projectId: 'p',
  projectName: 'ops',
  domainId: null,
  roles: ['admin'],
  expiresAt: '2999-01-01T00:00:00Z',
};
let revoked = false;
/** Tokens that the API has revoked. */
const taken: string[] = [];
let cannotRevoke = false;
const identity: IdentityPort = {
  token: async () => 'service-token',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async (credentials) => {
    if (credentials.kind !== 'password') return null;
    const { user, password } = credentials;
    if ('name' in user && user.name === 'broken') throw new Error('connect ECONNREFUSED 10.9.8.7:5000 with s3cret');
    return password === 'right' ? 'token-of-ann' : null;
  },
  projects: async () => [],
  validate: async (token) => (token === 'token-of-ann' && !revoked ? validToken : null),
  revoke: async (token) => {
    if (cannotRevoke) throw new Error('connect ECONNREFUSED 10.9.8.7:5000');
    taken.push(token);
  },
};
const login = { user: 'ann', user_domain: 'Default', password: 'right', project: 'ops', project_domain: 'Default' };
const ours = { 'x-vigil-dashboard': '1', origin: 'http://localhost', host: 'localhost' };

const folder = mkdtempSync(join(tmpdir(), 'vigil-dashboard-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<base href="/dashboard/"><p>page</p>');
writeFileSync(join(folder, 'assets', 'a.js'), 'a');
writeFileSync(join(folder, 'assets', 'packed.css.gz'), gzipSync('p { color: red }'));
const api = await useTestApi({
  authMode: 'keystone',
  identity,
  tokenCacheSeconds: 0,
  dashboardFolder: folder,
  cronTimeZone: 'Europe/Berlin',
  links: { grafanaHost: null, grafanaInstance: null, horizon: 'https://h.example' },
  sessionIdleSeconds: 900,
});
atEnd(() => rmSync(folder, { recursive: true, force: true }));

async function signIn(body: object = login, address = '127.0.0.1') {
  return api.app.inject({
    method: 'POST',
    url: '/dashboard/session',
    remoteAddress: address,
    headers: { ...ours, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
}

async function cookieOf(address?: string, user = login.user): Promise<{ cookie: string }> {
  const response = await signIn({ ...login, user }, address);
  return { cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
}

describe('sessions of the dashboard', () => {
  it('exchanges a password for a cookie that serves for the API and holds no token', async () => {
    const response = await signIn();
    expect(response.statusCode).toBe(201);
    expect(response.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(response.body).not.toContain('token-of-ann');
    expect(response.json()).toMatchObject({ signed_in: true, user: 'ann', project: 'ops', roles: ['admin'] });
    expect(response.json().permissions).toContain('audit:create');
    expect(response.json().cron_time_zone).toBe('Europe/Berlin');
    expect(response.json().links).toEqual({ grafana_host: null, grafana_instance: null, horizon: 'https://h.example' });

    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    expect((await api.get('/v1/goals', { cookie })).statusCode).toBe(200);
    expect((await api.get('/v1/goals', { cookie: `${cookie}x` })).statusCode).toBe(401);
    expect((await api.get('/v1/goals')).statusCode).toBe(401);
  });

  it('refuses changes that a page of another origin may have caused', async () => {
    const cookie = await cookieOf();
    const create = (headers: Record<string, string>) =>
      api.send('POST', '/v1/audits', { audit_type: 'ONESHOT', goal: 'nothing' }, { ...cookie, ...headers });
    expect((await create({})).statusCode).toBe(403);
    expect((await create({ ...ours, origin: 'http://evil.example' })).statusCode).toBe(403);
    expect((await create({ ...ours, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await create({ 'x-vigil-dashboard': '1' })).statusCode).toBe(403);
    expect((await create(ours)).statusCode).toBe(404);
    const read = (origin: string) => api.get('/v1/goals', { ...cookie, ...ours, origin });
    expect((await read('http://localhost:8080')).statusCode).toBe(403);
    expect((await read(ours.origin)).statusCode).toBe(200);
  });

  it('ends with the sign-out, and with the token', async () => {
    const cookie = await cookieOf('10.0.0.1');
    expect((await api.send('DELETE', '/dashboard/session', undefined, { ...cookie, ...ours })).statusCode).toBe(204);
    expect((await api.get('/v1/goals', cookie)).statusCode).toBe(401);

    expect(taken).toContain('token-of-ann');
    const other = await cookieOf('10.0.0.1');
    revoked = true;
    expect((await api.get('/v1/goals', other)).statusCode).toBe(401);
    revoked = false;
    expect((await api.get('/v1/goals', other)).statusCode).toBe(200);
  });

  it('ends although Keystone cannot revoke the token', async () => {
    const cookie = await cookieOf('10.0.0.6');
    cannotRevoke = true;
    expect((await api.send('DELETE', '/dashboard/session', undefined, { ...cookie, ...ours })).statusCode).toBe(204);
    cannotRevoke = false;
    expect((await api.get('/v1/goals', cookie)).statusCode).toBe(401);
  });

  it('ends after its idle time, and automatic requests of a page do not extend it', async () => {
    const { cookie } = await cookieOf('10.0.0.7');
    const idHash = hashOfSession(cookie.slice(cookie.indexOf('=') + 1));
    const left = async () => (await api.store.db.dashboardSessions.find(idHash, null))?.secondsLeft ?? 0;
    const shorten = (what: string, seconds: number) =>
      runSql(
        api.databaseUrl,
        `UPDATE dashboard_sessions SET ${what} = now() + interval '${seconds} s' WHERE id_hash = '${idHash}'`,
      );
    expect(await left()).toBeLessThanOrEqual(900);
    await shorten('expires_at', 300);
    expect((await api.get('/v1/goals', { cookie, 'x-vigil-dashboard': 'unattended' })).statusCode).toBe(200);
    expect((await api.get('/v1/goals', { cookie })).statusCode).toBe(200);
    await expect.poll(left).toBeGreaterThan(600);
    await shorten('expires_at', 300);
    expect((await api.get('/v1/goals', { cookie, 'x-vigil-dashboard': 'unattended' })).statusCode).toBe(200);
    await shorten('ends_at', 600);
    expect(await left()).toBeLessThanOrEqual(300);
    expect((await api.get('/v1/goals', { cookie })).statusCode).toBe(200);
    await expect.poll(left).toBeGreaterThan(400);
    expect(await left()).toBeLessThanOrEqual(600);
    await shorten('expires_at', 0);
    expect((await api.get('/v1/goals', { cookie })).statusCode).toBe(401);
  });

  it('has a Secure cookie where the browser uses https, although the API does not know of TLS', async () => {
    const secure = { ...ours, origin: 'https://localhost' };
    const response = await api.send('POST', '/dashboard/session', login, { ...secure, cookie: 'x=1' });
    expect(response.statusCode).toBe(201);
    expect(response.headers['set-cookie']).toMatch(/; Secure; SameSite=Strict$/);
    expect(response.headers).not.toHaveProperty('strict-transport-security');
  });

  it('gives every sign-in a new id, also with a planted cookie', async () => {
    const planted = `vigil_session=${'A'.repeat(43)}`;
    const response = await api.send('POST', '/dashboard/session', login, { ...ours, cookie: planted });
    expect(response.statusCode).toBe(201);
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    expect(cookie).not.toBe(planted);
    expect((await api.get('/v1/goals', { cookie: planted })).statusCode).toBe(401);
    expect((await api.get('/v1/goals', { cookie })).statusCode).toBe(200);

    expect((await api.send('POST', '/dashboard/session', login, { ...ours, cookie })).statusCode).toBe(201);
    expect((await api.get('/v1/goals', { cookie })).statusCode).toBe(401);
  });

  it('cannot be signed in to or out of by a page of another origin', async () => {
    const cookie = await cookieOf('10.0.0.4');
    const evil = { ...ours, origin: 'http://evil.example' };
    expect((await api.send('POST', '/dashboard/session', login, evil)).statusCode).toBe(403);
    expect((await api.send('DELETE', '/dashboard/session', undefined, { ...cookie, ...evil })).statusCode).toBe(403);
    expect((await api.send('DELETE', '/dashboard/session', undefined, cookie)).statusCode).toBe(403);
    expect((await api.get('/v1/goals', cookie)).statusCode).toBe(200);
  });

  it('does not reveal faults behind the API', async () => {
    const response = await signIn({ ...login, user: 'broken' }, '10.0.0.5');
    expect(response.statusCode).toBeGreaterThanOrEqual(500);
    expect(response.body).not.toMatch(/10\.9\.8\.7|s3cret|ECONNREFUSED|right/);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it('refuses wrong passwords, and after ten of them every attempt for a while', async () => {
    const attempts: number[] = [];
    // A slow client gets one more attempt every 15 seconds.
    while (attempts.length < 30 && attempts.at(-1) !== 429)
      attempts.push((await signIn({ ...login, user: 'bob', password: 'wrong' }, '10.0.0.2')).statusCode);
    expect(attempts.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(attempts.at(-1)).toBe(429);
    // Every spelling of the name counts as the same user. Other addresses are not locked out.
    expect((await signIn({ ...login, user: ' BOB' }, '10.0.0.2')).statusCode).toBe(429);
    expect((await signIn({ ...login, user: 'bob' }, '10.0.0.3')).statusCode).toBe(201);
    expect((await signIn({ user: 'ann' })).statusCode).toBe(400);
  });

  it('keeps the token sealed with the id of the session', () => {
    const sealed = sealToken('id', 'secret');
    expect(sealed).not.toContain('secret');
    expect(openToken('id', sealed)).toBe('secret');
    expect(openToken('other', sealed)).toBeNull();
  });
});

describe('files of the dashboard', () => {
  it('serves the page for deep links, with a policy that allows nothing inline, and assets forever', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/audits/some.json']) {
      const response = await api.get(path);
      expect(response.body).toContain('<p>page</p>');
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      expect(response.headers['content-security-policy']).not.toContain('unsafe');
    }
    const asset = await api.get('/dashboard/assets/a.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await api.get('/dashboard/assets/b.js')).statusCode).toBe(404);
    expect((await api.get('/dashboard/assets/b.css')).body).toBe('No such file.\n');
    expect((await api.get('/dashboard/assets/..%2findex.html')).statusCode).not.toBe(200);
  });

  it('serves files that exist in compressed form only to every client', async () => {
    const packed = await api.get('/dashboard/assets/packed.css', { 'accept-encoding': 'br, gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/css; charset=utf-8' });
    const plain = await api.get('/dashboard/assets/packed.css');
    expect(plain).toMatchObject({ statusCode: 200, body: 'p { color: red }' });
    expect(plain.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  });
});

describe('below a path of a proxy', () => {
  it('the page escapes the path of the public URL', async () => {
    const behind = await useTestApi({ publicUrl: 'https://cloud.example/a&b', dashboardFolder: folder });
    const page = await behind.get('/dashboard/', { host: 'cloud.example' });
    expect(page.body).toContain('<base href="/a&amp;b/dashboard/">');
  });

  it('serves the page for that path, and gives its cookie to that path, only by https', async () => {
    const behind = await useTestApi({
      authMode: 'keystone',
      identity,
      dashboardFolder: folder,
      proxyHeaders: true,
    });
    const forwarded = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'cloud.example',
      'x-forwarded-prefix': '/vigil',
    };
    const page = await behind.get('/dashboard/plans/1', forwarded);
    expect(page.body).toContain('<base href="/vigil/dashboard/">');
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000');
    const response = await behind.send('POST', '/dashboard/session', login, {
      ...forwarded,
      'x-vigil-dashboard': '1',
      origin: 'https://cloud.example',
    });
    expect(response.statusCode).toBe(201);
    expect(response.headers['set-cookie']).toMatch(/; Path=\/vigil\/; HttpOnly; Secure; SameSite=Strict$/);
    const from = (address: string) =>
      behind.send('POST', '/dashboard/session', { ...login, user: address }, { ...ours, 'x-forwarded-for': address });
    // All requests have the proxy's address. The limit applies to the clients behind it and ignores their own
    // headers.
    for (let client = 0; client < 12; client++) expect((await from(`10.1.1.${client}`)).statusCode).toBe(201);
    const attempts: number[] = [];
    // Ten at once, then one more every 15 seconds.
    while (attempts.length < 30 && attempts.at(-1) !== 429)
      attempts.push((await from(`10.9.9.${attempts.length}, 10.2.2.2`)).statusCode);
    expect(attempts.slice(0, 10)).toEqual(Array(10).fill(201));
    expect(attempts.at(-1)).toBe(429);
    const logged = async () =>
      (await behind.store.db.auditLog.list({ targetKind: 'session', limit: 1 })).map(({ address }) => address);
    await expect.poll(logged).toEqual(['10.2.2.2']);
    const elsewhere = await behind.get('/dashboard/', { ...forwarded, 'x-forwarded-prefix': '//evil.example' });
    expect(elsewhere.body).toContain('<base href="/evil.example/dashboard/">');
  });
});

it('the change streams of a session end with it, at a sign-out in another process and when it expires', async () => {
  const address = '10.5.5.5';
  const url = await api.listen();
  const open = async (headers: Record<string, string>) => {
    const response = await fetch(`${url}/v1/watch`, { headers });
    expect(response.status).toBe(200);
    const state = { isOpen: true };
    void response.text().then(() => {
      state.isOpen = false;
    });
    return state;
  };
  const hashOf = ({ cookie }: { cookie: string }) => hashOfSession(cookie.slice(cookie.indexOf('=') + 1));
  const [first, second, third] = [
    await cookieOf(address, 'a'),
    await cookieOf(address, 'b'),
    await cookieOf(address, 'c'),
  ];
  const [left, expired, stays] = [await open(first), await open(second), await open(third)];
  const byToken = await open({ 'x-auth-token': 'token-of-ann' });
  const other = await connectStore(api.databaseUrl);
  await other.db.dashboardSessions.remove(hashOf(first));
  await expect.poll(() => left.isOpen).toBe(false);
  expect([expired, stays, byToken].map((stream) => stream.isOpen)).toEqual([true, true, true]);
  const idHash = hashOf(second);
  await other.db.dashboardSessions.remove(idHash);
  await other.db.dashboardSessions.add({ idHash, sealedToken: '', seconds: 0.01, idleSeconds: null });
  await expect.poll(() => expired.isOpen).toBe(false);
  expect([stays.isOpen, byToken.isOpen]).toEqual([true, true]);
});

it('the audit log has sessions for every spelling of the path, and no reads', async () => {
  const paths = ['/dashboard/%73ession', '//dashboard/session', '/dashboard//session', '/dashboard/session/'];
  const send = (url: string, index: number, headers: Record<string, string>, body: object = login) =>
    api.app.inject({
      method: 'POST',
      url,
      remoteAddress: `10.7.7.${index}`,
      headers: { 'content-type': 'application/json', ...headers },
      // The attempts of a user are limited, and those of other tests count.
      payload: JSON.stringify('user' in body ? { ...body, user: `spelling ${index}` } : body),
    });
  for (const [index, path] of paths.entries()) {
    expect((await send(path, index, {})).statusCode).toBe(403);
    expect((await send(path, index, ours, {})).statusCode).toBe(400);
    expect((await send(path, index, ours)).statusCode).toBe(201);
  }
  const nobody = await api.app.inject({
    method: 'DELETE',
    url: paths[0] ?? '',
    remoteAddress: '10.7.7.9',
    headers: ours,
  });
  expect(nobody.statusCode).toBe(204);
  const read = async () =>
    (await api.store.db.auditLog.list({ targetKind: 'session', limit: 100 }))
      .filter((entry) => entry.address?.startsWith('10.7.7.'))
      .map(({ operation, status, address }) => [operation, status, address]);
  const signIns = paths.map((_, index) => ['sign_in', 201, `10.7.7.${index}`]).reverse();
  await expect.poll(read).toEqual(signIns);
  // Events of a later test must not appear here.
  await send(paths[0] ?? '', 8, ours);
  await expect.poll(read).toEqual([['sign_in', 201, '10.7.7.8'], ...signIns]);
});

it('sign-ins, refused ones too, and sign-outs are in the audit log', async () => {
  const address = '10.9.8.7';
  const user = 'recorded';
  await signIn({ ...login, user, password: 'wrong' }, address);
  const cookie = await cookieOf(address, user);
  await api.app.inject({
    method: 'DELETE',
    url: '/dashboard/session',
    remoteAddress: address,
    headers: { ...ours, ...cookie },
  });
  const read = async () =>
    (await api.store.db.auditLog.list({ targetKind: 'session', limit: 100 }))
      .filter((entry) => entry.address === address)
      .map(({ operation, status, userId, userName }) => [operation, status, userId, userName]);
  await expect.poll(read).toEqual([
    ['sign_out', 204, 'u', 'ann'],
    ['sign_in', 201, 'u', 'ann'],
    ['sign_in', 401, null, user],
  ]);
});

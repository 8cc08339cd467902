import { beforeEach, expect, it, vi } from 'vitest';
import type { IdentityPort } from '#libs/openstack';
import { seedCatalogue, type TestApi, useTestApi } from '../testing/test-api.ts';

const hour = 3_600_000;
const clock = { ms: Date.UTC(2026, 0, 1), now: () => clock.ms };
let revoked: string | null;
let isAway: boolean;
let validations: number;
let api: TestApi;

const identity: IdentityPort = {
  token: async () => 'own',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async () => null,
  projects: async () => [],
  revoke: async () => undefined,
  async validate(token) {
    validations += 1;
    if (isAway) throw new Error('Keystone is unavailable');
    if (token === revoked) return null;
    const user = { userId: token, userName: token, projectId: 'p', projectName: 'p', domainId: null };
    return { ...user, roles: ['admin'], expiresAt: new Date(Date.UTC(2026, 0, 1) + hour).toISOString() };
  },
};

beforeEach(async () => {
  clock.ms = Date.UTC(2026, 0, 1);
  [revoked, isAway, validations] = [null, false, 0];
  api = await useTestApi({ authMode: 'keystone', identity, clock, watch: { maxStreamSeconds: 86_400 } });
});

async function open(token: string) {
  const url = api.app.server.listening
    ? `http://127.0.0.1:${(api.app.server.address() as { port: number }).port}`
    : await api.listen();
  const response = await fetch(`${url}/v1/watch`, { headers: { 'x-auth-token': token } });
  expect(response.status).toBe(200);
  const state = { isOpen: true };
  void response.text().then(() => {
    state.isOpen = false;
  });
  return state;
}

it('a stream ends when its token was revoked, as soon as the last response of Keystone is too old', async () => {
  const [gone, stays] = [await open('a'), await open('b')];
  revoked = 'a';
  clock.ms += 61_000;
  await expect.poll(() => gone.isOpen).toBe(false);
  expect(stays.isOpen).toBe(true);
});

it('a stream ends with its token, even while Keystone is unavailable, and not before', async () => {
  const stream = await open('a');
  isAway = true;
  clock.ms += 61_000;
  const before = validations;
  await expect.poll(() => validations).toBeGreaterThan(before);
  expect(stream.isOpen).toBe(true);
  clock.ms += hour;
  await expect.poll(() => stream.isOpen).toBe(false);
});

it('a long poll returns 401 and no change when its token was revoked during the wait', async () => {
  const headers = { 'x-auth-token': 'a' };
  const { id } = (await api.send('POST', '/v1/watchers', { kinds: ['audit_template'] }, headers)).json();
  await api.get(`/v1/watchers/${id}/next?timeout=0`, headers);
  const uses = vi.spyOn(api.store.changeStream.watchers, 'use');
  const waiting = api.get(`/v1/watchers/${id}/next?timeout=60`, headers);
  await expect.poll(() => uses.mock.calls.length).toBe(1);
  revoked = 'a';
  clock.ms += 100_000;
  await seedCatalogue(api.store);
  const made = await api.send(
    'POST',
    '/v1/audit_templates',
    { name: 'unseen', goal: 'dummy' },
    { 'x-auth-token': 'b' },
  );
  expect(made.statusCode).toBe(201);
  const response = await waiting;
  expect(response.statusCode).toBe(401);
  expect(response.body).not.toContain('unseen');
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedSimulation, serveSimulation, smallWorld } from '../../testing/simulation-fixture.ts';

describe('application credentials of the simulated Keystone', () => {
  let served: ServedSimulation;
  let userId = '';
  beforeAll(async () => {
    served = await serveSimulation(smallWorld(), { password: 'secret' });
    userId = served.simulator.simulation.directory.userByName('vigil')?.id ?? '';
  });
  afterAll(() => served.simulator.stop());

  const at = () => `/identity/v3/users/${userId}/application_credentials`;
  const rule = (path: string, method = 'GET', service = 'compute') => ({ service, method, path });

  async function create(fields: object, headers: Record<string, string> = {}) {
    const as = 'x-auth-token' in headers ? null : 'vigil';
    const response = await served.request('POST', at(), { as, headers, body: { application_credential: fields } });
    return { status: response.status, credential: Object(response.body).application_credential };
  }

  async function tokenOf({ id, secret }: { id: string; secret: string }) {
    const identity = { methods: ['application_credential'], application_credential: { id, secret } };
    const response = await served.request('POST', '/identity/v3/auth/tokens', {
      as: null,
      body: { auth: { identity } },
    });
    return {
      status: response.status,
      token: response.headers.get('x-subject-token') ?? '',
      body: Object(response.body),
    };
  }

  const status = async (token: string, path: string, method = 'GET') =>
    (await served.request(method, path, { as: null, headers: { 'x-auth-token': token } })).status;

  it('allow only requests that match their access rules', async () => {
    const access_rules = [rule('/compute/v2.1/servers/*'), rule('/placement/**', 'GET', 'placement')];
    const { credential } = await create({ name: 'rules', roles: [{ name: 'admin' }], access_rules });
    expect(credential).toMatchObject({ unrestricted: false, roles: [{ name: 'admin' }], expires_at: null });
    const { token, body } = await tokenOf(credential);
    expect(body.token.application_credential.access_rules).toMatchObject(access_rules);
    expect(await status(token, '/compute/v2.1/servers/detail?limit=1')).toBe(200);
    expect(await status(token, '/placement/resource_providers')).toBe(200);
    expect(await status(token, '/compute/v2.1/servers')).toBe(401);
    expect(await status(token, '/compute/v2.1/servers/detail', 'DELETE')).toBe(401);
    expect(await status(token, '/volume/v3/volumes')).toBe(401);
    expect(await status(token, at())).toBe(401);
    expect(await status(token, '/compute/')).toBe(200);
  });

  it('invalidate their tokens when they are deleted, and leave rules that can then be deleted', async () => {
    const access_rules = [rule('/compute/v2.1/flavors/detail')];
    const { credential } = await create({ name: 'short', access_rules });
    const { token } = await tokenOf(credential);
    const own = `/identity/v3/users/${userId}/access_rules/${credential.access_rules[0].id}`;
    expect((await served.request('DELETE', own, { as: 'vigil' })).status).toBe(403);
    expect((await served.request('DELETE', `${at()}/${credential.id}`, { as: 'vigil' })).status).toBe(204);
    expect(await status(token, '/compute/v2.1/flavors/detail')).toBe(401);
    expect((await tokenOf(credential)).status).toBe(401);
    expect((await served.request('DELETE', own, { as: 'vigil' })).status).toBe(204);
  });

  it('create no others unless they are unrestricted', async () => {
    const { credential } = await create({ name: 'plain' });
    const { token } = await tokenOf(credential);
    expect((await create({ name: 'child' }, { 'x-auth-token': token })).status).toBe(403);
    const open = await create({ name: 'open', unrestricted: true });
    const { token: openToken } = await tokenOf(open.credential);
    expect((await create({ name: 'child' }, { 'x-auth-token': openToken })).status).toBe(201);
  });

  it.each<[string, object, number]>([
    ['without a name', {}, 400],
    ['with a role that the user lacks', { name: 'x', roles: [{ name: 'owner' }] }, 400],
    ['with an end in the past', { name: 'x', expires_at: '2020-01-01T00:00:00.000000' }, 400],
    ['with a name that is taken', { name: 'vigil' }, 409],
  ])('are refused %s', async (_why, fields, expected) => {
    expect((await create(fields)).status).toBe(expected);
  });

  it('belong only to their user', async () => {
    expect((await served.request('GET', at(), { as: 'admin' })).status).toBe(403);
  });
});

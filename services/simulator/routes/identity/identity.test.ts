import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createManualClock,
  login,
  type ServedSimulation,
  serveSimulation,
  smallWorld,
} from '../../testing/simulation-fixture.ts';

interface TokenBody {
  token: {
    user: { name: string };
    project?: { name: string };
    roles?: { name: string }[];
    catalog?: { type: string; endpoints: { url: string; interface: string }[] }[];
    expires_at: string;
    issued_at: string;
  };
}

describe('the simulated Keystone', () => {
  const clock = createManualClock();
  let served: ServedSimulation;
  beforeAll(async () => {
    served = await serveSimulation(smallWorld(), { password: 'secret', tokenSeconds: 2 }, clock);
  });
  afterAll(() => served.simulator.stop());

  async function tokenOf(name: string, project: string): Promise<{ id: string; body: TokenBody }> {
    const response = await login(served.simulator.url, { name, password: 'secret', project });
    expect(response.status).toBe(201);
    return { id: response.headers.get('x-subject-token') ?? '', body: (await response.json()) as TokenBody };
  }
  const about = (caller: string, subject: string, method = 'GET') =>
    served.request(method, '/identity/v3/auth/tokens', {
      as: null,
      headers: { 'x-auth-token': caller, 'x-subject-token': subject },
    });

  it.each([
    ['admin', 'admin', 'admin'],
    ['administrator', 'admin', 'admin'],
    ['vigil', 'service', 'service'],
    ['member', 'demo', 'member'],
    ['reader', 'demo', 'reader'],
  ])('logs %s in to project %s with role %s', async (name, project, role) => {
    const { token } = (await tokenOf(name, project)).body;
    expect([token.user.name, token.project?.name]).toEqual([name, project]);
    expect(token.roles?.map((each) => each.name)).toContain(role);
    expect(Date.parse(token.expires_at) - Date.parse(token.issued_at)).toBe(2000);
  });

  it('lists the services, and the optimizer', async () => {
    const { token } = (await tokenOf('admin', 'admin')).body;
    const urls = Object.fromEntries(
      (token.catalog ?? []).map((service) => [
        service.type,
        service.endpoints.find((e) => e.interface === 'public')?.url,
      ]),
    );
    const { url } = served.simulator;
    expect(urls).toMatchObject({
      identity: `${url}/identity/v3`,
      compute: `${url}/compute/v2.1`,
      placement: `${url}/placement`,
      'infra-optim': 'http://127.0.0.1:9322',
    });
    expect(urls['block-storage']).toMatch(`${url}/volume/v3/`);
  });

  it.each([
    ['a wrong password', { name: 'admin', password: 'wrong', project: 'admin' }],
    ['an unknown user', { name: 'nobody', password: 'secret', project: 'admin' }],
    ['a project without a role', { name: 'member', password: 'secret', project: 'admin' }],
  ])('returns 401 for %s, without the reason', async (_what, user) => {
    const response = await login(served.simulator.url, user);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
    });
  });

  it('returns the owner of a token, 404 for an invalid one, 401 to a caller without one', async () => {
    const admin = await tokenOf('admin', 'admin');
    const member = await tokenOf('member', 'demo');
    const response = await about(admin.id, member.id);
    expect(response.status).toBe(200);
    expect((response.body as TokenBody).token.user.name).toBe('member');
    expect((await about(admin.id, 'nonsense')).status).toBe(404);
    expect((await about('nonsense', member.id)).status).toBe(401);
  });

  it('revokes tokens, which also expire', async () => {
    const admin = await tokenOf('admin', 'admin');
    const member = await tokenOf('member', 'demo');
    expect((await about(admin.id, member.id, 'DELETE')).status).toBe(204);
    expect((await about(admin.id, member.id)).status).toBe(404);
    clock.move(2000);
    expect((await about(admin.id, admin.id)).status).toBe(401);
  });

  it('accepts application credentials and tokens instead of passwords', async () => {
    const [credential] = [...served.simulator.simulation.directory.applicationCredentials.values()];
    const post = (identity: object) =>
      served.request('POST', '/identity/v3/auth/tokens', { as: null, body: { auth: { identity } } });
    const byCredential = await post({
      methods: ['application_credential'],
      application_credential: { id: credential?.id, secret: 'secret' },
    });
    expect(byCredential.status).toBe(201);
    expect((byCredential.body as TokenBody).token.project?.name).toBe('service');
    const { id } = await tokenOf('admin', 'admin');
    const unscoped = await post({ methods: ['token'], token: { id } });
    expect(unscoped.status).toBe(201);
    expect((unscoped.body as TokenBody).token).not.toHaveProperty('roles');
    expect((await post({ methods: ['token'], token: { id: 'nonsense' } })).status).toBe(404);
  });
});

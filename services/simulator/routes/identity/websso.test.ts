import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedSimulation, serveSimulation, smallWorld } from '../../testing/simulation-fixture.ts';

let served: ServedSimulation;
beforeAll(async () => {
  served = await serveSimulation(smallWorld(), { password: 'secret' });
});
afterAll(() => served.simulator.stop());

const path = '/identity/v3/auth/OS-FEDERATION/identity_providers/acme/protocols/saml2/websso';

it('the simulated Keystone posts an unscoped token to a trusted origin, and rescopes it to the projects of its user', async () => {
  const page = async (query: string) => fetch(`${served.simulator.url}${path}?${query}`);
  expect((await page('origin=https://evil.example/&user=ann')).status).toBe(401);
  const origin = encodeURIComponent('http://127.0.0.1:1/dashboard/session/websso');
  expect(await (await page(`origin=${origin}`)).text()).toContain('&amp;user=ann');
  const posting = await (await page(`origin=${origin}&user=ann`)).text();
  expect(posting).toContain('action="http://127.0.0.1:1/dashboard/session/websso"');
  const [, token = ''] = /name="token" id="token" value="([^"]+)"/.exec(posting) ?? [];
  const headers = { 'x-auth-token': token };
  const projects = await served.request('GET', '/identity/v3/auth/projects', { as: null, headers });
  const found = (projects.body as { projects: { id: string; name: string }[] }).projects;
  expect(found.map(({ name }) => name)).toEqual(['admin', 'demo']);
  const scope = { project: { id: found[1]?.id } };
  const identity = { methods: ['token'], token: { id: token } };
  const scoped = await served.request('POST', '/identity/v3/auth/tokens', {
    as: null,
    body: { auth: { identity, scope } },
  });
  expect(scoped.body).toMatchObject({ token: { project: { name: 'demo' }, roles: [{ name: 'reader' }] } });
  // A user of an identity provider has no password.
  const user = { name: 'ann', domain: { id: 'default' } };
  const byPassword = { methods: ['password'], password: { user } };
  const refused = await served.request('POST', '/identity/v3/auth/tokens', {
    as: null,
    body: { auth: { identity: byPassword } },
  });
  expect(refused.status).toBe(401);
});

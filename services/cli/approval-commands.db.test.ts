import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { IdentityPort } from '#libs/openstack';
import { atEnd } from '#tests';
import { seedCatalogue, seedPlan, useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

/** Tokens are named after their users. */
const identity: IdentityPort = {
  token: async () => 'own',
  requester: async () => null,
  endpoint: async () => null,
  signIn: async () => null,
  projects: async () => [],
  revoke: async () => undefined,
  validate: async (name) => ({
    ...{ userId: `id-${name}`, userName: name, projectId: 'p', projectName: 'p', domainId: null },
    ...{ roles: ['admin'], expiresAt: '2999-01-01T00:00:00Z' },
  }),
};
const api = await useTestApi({ authMode: 'keystone', identity });
const seed = await seedCatalogue(api.store);
const url = await api.listen();

/** A Keystone that returns the token that it gets. */
const keystone = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const endpoints = [{ interface: 'public', region: 'one', url: `${url}/` }];
    response.writeHead(201, {
      'content-type': 'application/json',
      'x-subject-token': JSON.parse(body).auth.identity.token.id,
    });
    response.end(JSON.stringify({ token: { catalog: [{ type: 'infra-optim', endpoints }] } }));
  });
});
await new Promise<void>((resolve) => keystone.listen(0, '127.0.0.1', resolve));
atEnd(() => new Promise((resolve) => keystone.close(resolve)));
const authUrl = `http://127.0.0.1:${(keystone.address() as AddressInfo).port}/v3`;

const as = (user: string, ...args: string[]) =>
  runVigil(['actionplan', ...args], { env: { OS_AUTH_URL: authUrl, OS_TOKEN: user } });

async function waitingPlan(): Promise<string> {
  const { plan, audit } = await seedPlan(api.store, seed);
  const requester = { userId: 'id-mia', userName: 'mia', projectId: 'p', projectName: 'p' };
  await api.store.db.audits.update(audit.uuid, { requester });
  await api.store.db.actionPlans.wantApproval(plan.uuid, 'rule all: every plan');
  return plan.uuid;
}

it('a plan that one user requested starts after another one approves it', async () => {
  const uuid = await waitingPlan();
  expect((await as('mia', 'list', '--approval', 'wanted')).out).toContain(uuid);
  expect((await as('mia', 'show', uuid)).out).toContain('Approval wanted: rule all: every plan');
  expect((await as('mia', 'start', uuid)).err).toContain('waits for approval (rule all: every plan)');
  const own = await as('mia', 'approve', uuid, '--comment', 'mine');
  expect(own.code).not.toBe(0);
  expect(own.err).toContain('another user has to decide');

  const approved = JSON.parse((await as('sam', 'approve', uuid, '--comment', 'seen', '--json')).out);
  expect(approved).toMatchObject({ approval: 'given', decided_by: { user_name: 'sam' }, comment: 'seen' });
  expect((await as('mia', 'approval', uuid)).out).toMatch(/given[\s\S]*sam[\s\S]*seen/);
  expect((await as('mia', 'start', uuid)).code).toBe(0);
});

it('a refused plan is cancelled with the comment', async () => {
  const uuid = await waitingPlan();
  expect((await as('sam', 'refuse', uuid)).err).toContain('--comment');
  expect((await as('sam', 'refuse', uuid, '--comment', 'not today')).code).toBe(0);
  expect((await as('mia', 'show', uuid)).out).toMatch(/CANCELLED[\s\S]*Refused by sam: not today/);
});

it('an unknown state of approval is refused', async () => {
  expect((await as('mia', 'list', '--approval', 'wnated')).err).toContain('wanted, given, refused');
});

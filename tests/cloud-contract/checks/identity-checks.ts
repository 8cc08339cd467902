import assert from 'node:assert/strict';
import type { OpenStackConfig } from '#libs/openstack';
import { OpenStackError } from '#libs/openstack';
import type { CloudCheck } from '../cloud-check.ts';
import type { ContractTarget } from '../contract-target.ts';

/** Tokens, their validation, and Keystone's response to wrong credentials. */
export const identityChecks: readonly CloudCheck[] = [
  {
    name: 'Keystone gives a project token with a catalogue',
    async run(target) {
      const response = await requestToken(target, passwordOf(target.config));
      assert.equal(response.status, 201);
      assert.ok(response.headers.get('x-subject-token'));
      target.assertShape('identity', 'POST /v3/auth/tokens', response.body);
    },
  },
  {
    name: 'Keystone describes itself without a token',
    async run(target) {
      const response = await fetch(target.config.authUrl);
      assert.equal(response.status, 200);
      target.assertShape('identity', 'GET /v3', await response.json());
    },
  },
  {
    name: 'Keystone tells whose a token is, and 404 for one it does not know',
    async run(target) {
      const token = await target.cloud.identity.token();
      const path = '/auth/tokens?nocatalog';
      const known = await target.raw({ service: 'identity', path, headers: { 'x-subject-token': token } });
      assert.equal(known.status, 200);
      target.assertShape('identity', 'GET /v3/auth/tokens', known.body);
      const unknown = await target.raw({ service: 'identity', path, headers: { 'x-subject-token': 'unknown' } });
      assert.equal(unknown.status, 404);
      target.assertShape('identity', 'fault 404', unknown.body);
      const validated = await target.cloud.identity.validate(token);
      assert.ok(validated?.roles.includes('admin'), 'the credentials are not an administrator');
      assert.equal(await target.cloud.identity.validate('unknown'), null);
    },
  },
  {
    name: 'a wrong password is a 401',
    async run(target) {
      const credentials = { ...passwordOf(target.config), password: 'certainly-wrong' };
      const response = await requestToken(target, credentials);
      assert.equal(response.status, 401);
      target.assertShape('identity', 'fault 401', response.body);
      await assert.rejects(
        target.connect({ credentials }).identity.token(),
        (error) => error instanceof OpenStackError && error.status === 401 && error.message.includes('OS_PASSWORD'),
      );
    },
  },
  {
    name: 'an unknown project is a 401, and told from a wrong password by an unscoped login',
    async run(target) {
      const project = { name: 'no-such-project', domain: { id: 'default' } };
      const credentials = { ...passwordOf(target.config), project };
      await assert.rejects(
        target.connect({ credentials }).identity.token(),
        (error) => error instanceof OpenStackError && error.status === 401 && error.message.includes('no-such-project'),
      );
    },
  },
  {
    name: 'services refuse a token that is none',
    async run(target) {
      const nova = await target.raw({ service: 'compute', path: '/servers', token: 'wrong' });
      assert.equal(nova.status, 401);
      target.assertShape('compute', 'fault 401', nova.body);
      const placement = await target.raw({ service: 'placement', path: '/resource_providers', token: 'wrong' });
      assert.equal(placement.status, 401);
    },
  },
];

type PasswordCredentials = Extract<OpenStackConfig['credentials'], { kind: 'password' }>;

function passwordOf(config: OpenStackConfig): PasswordCredentials {
  assert.equal(config.credentials.kind, 'password', 'the contract needs password credentials');
  return config.credentials as PasswordCredentials;
}

async function requestToken(target: ContractTarget, credentials: PasswordCredentials) {
  const { user, password, project } = credentials;
  const identity = { methods: ['password'], password: { user: { ...user, password } } };
  const body = { auth: { identity, scope: { project } } };
  return target.raw({ service: 'identity', method: 'POST', path: '/auth/tokens', body, token: '' });
}

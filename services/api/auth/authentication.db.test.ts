import { describe, expect, it } from 'vitest';
import { type IdentityPort, OpenStackError, type ValidatedToken } from '#libs/openstack';
import { fault, useTestApi } from '../testing/test-api.ts';

const tokens: Record<string, string[]> = { admin: ['admin'], member: ['member'], service: ['service'] };
let validations = 0;

function createIdentity(): IdentityPort {
  return {
    token: async () => 'service-token',
    requester: async () => null,
    endpoint: async () => null,
    signIn: async () => null,
    projects: async () => [],
    revoke: async () => undefined,
    async validate(token): Promise<ValidatedToken | null> {
      validations += 1;
      if (token === 'broken') throw new OpenStackError('identity', 'GET /v3/auth/tokens', 0, 'no connection');
      const roles = tokens[token];
      if (!roles) return null;
      return {
        userId: 'u',
        userName: token,
        projectId: 'p',
        projectName: 'p',
        domainId: null,
        roles,
        expiresAt: '2999-01-01T00:00:00Z',
      };
    },
  };
}

const api = await useTestApi({
  authMode: 'keystone',
  identity: createIdentity(),
  authUri: 'http://keystone:5000',
});

describe('authentication', () => {
  it.each([{}, { 'X-Auth-Token': '' }, { 'X-Auth-Token': 'unknown' }])('refuses %o', async (headers) => {
    for (const path of ['/v1', '/v1/goals', '/goals', '/v2']) {
      const response = await api.get(path, headers as Record<string, string>);
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Keystone uri="http://keystone:5000"');
      expect(response.headers['content-type']).toMatch(/^application\/json/);
      expect(response.headers).not.toHaveProperty('x-openstack-request-id');
      expect(response.json()).toEqual({
        error: {
          code: 401,
          title: 'Unauthorized',
          message: 'The request you have made requires authentication.',
        },
      });
    }
  });

  it('admits administrators and calls Keystone once', async () => {
    const before = validations;
    for (let round = 0; round < 3; round++) {
      expect((await api.get('/v1/goals', { 'X-Auth-Token': 'admin' })).statusCode).toBe(200);
    }
    expect(validations - before).toBe(1);
  });

  it.each(['member', 'service'])('refuses the role %s in spite of forged headers', async (token) => {
    const response = await api.get('/v1/goals', { 'X-Auth-Token': token, 'X-Roles': 'admin' });
    expect(fault(response)).toEqual({ status: 403, text: "Policy doesn't allow goal:get_all to be performed." });
  });

  it('takes a service token along, which must be valid too', async () => {
    const statusOf = async (service: string) =>
      (await api.get('/v1/goals', { 'X-Auth-Token': 'admin', 'X-Service-Token': service })).statusCode;
    expect([await statusOf('service'), await statusOf('member'), await statusOf('unknown')]).toEqual([200, 200, 401]);
  });

  it('returns 503 while Keystone is unavailable', async () => {
    const response = await api.get('/v1/goals', { 'X-Auth-Token': 'broken' });
    expect(response.statusCode).toBe(503);
  });

  it('leaves the root, health and documentation open', async () => {
    for (const path of ['/', '/healthz', '/openapi.json']) expect((await api.get(path)).statusCode).toBe(200);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '#libs/domain';
import type { Cloud } from '../cloud.ts';
import { OpenStackError } from '../errors.ts';
import { requireCloud } from '../require-cloud.ts';
import {
  connectTo,
  failureOf,
  goodPassword,
  passwordCredentials,
  type ScriptedCloud,
  startScriptedCloud,
} from '../testing/scripted-cloud.ts';

const tokenRequest = 'POST /v3/auth/tokens';

describe('tokens', () => {
  let scripted: ScriptedCloud;
  let nowMs: number;
  let cloud: Cloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
    nowMs = 0;
    cloud = connectTo(scripted, {}, { clock: { now: () => nowMs } });
  });

  afterEach(async () => {
    await cloud.close();
    await scripted.close();
  });

  it('are fetched once for many callers and kept until a minute before their end', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => cloud.identity.token()));
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    nowMs = 3_539_000;
    expect(await cloud.identity.token()).toBe('token-1');
    nowMs = 3_541_000;
    expect(await cloud.identity.token()).toBe('token-2');
    expect(scripted.count(tokenRequest)).toBe(2);
  });

  it('of a short life are not fetched anew all the time', async () => {
    scripted.tokenSeconds = 30;
    await cloud.identity.token();
    nowMs = 14_000;
    expect(await cloud.identity.token()).toBe('token-1');
    nowMs = 16_000;
    expect(await cloud.identity.token()).toBe('token-2');
  });

  it('serve until their end while Keystone is out of order', async () => {
    await cloud.identity.token();
    scripted.script = (request) => (request.path === '/v3/auth/tokens' ? { status: 503 } : undefined);
    nowMs = 3_550_000;
    expect(await cloud.identity.token()).toBe('token-1');
    nowMs = 3_601_000;
    expect(await failureOf(cloud.identity.token())).toMatchObject({ status: 503 });
  });

  it('are fetched again once when a service returns 401, also for a change', async () => {
    scripted.script = (request) => {
      if (!request.path.endsWith('/action')) return undefined;
      return request.headers['x-auth-token'] === 'token-1' ? { status: 401 } : { status: 202 };
    };
    await cloud.compute.liveMigrate('s1', 'h2');
    expect(scripted.count(tokenRequest)).toBe(2);
    expect(scripted.count('POST /compute/v2.1/servers/s1/action')).toBe(2);
  });

  it('are fetched anew only once for one call', async () => {
    scripted.script = (request) => (request.path.endsWith('/os-services') ? { status: 401 } : undefined);
    expect(await failureOf(cloud.compute.listServices())).toMatchObject({ status: 401, category: 'permanent' });
    expect(scripted.count('GET /compute/v2.1/os-services')).toBe(2);
  });

  it('are still fetched when one of the waiting callers gives up', async () => {
    const [gone, stayed] = await Promise.allSettled([
      cloud.identity.token({ signal: AbortSignal.abort() }),
      cloud.identity.token(),
    ]);
    expect(gone.status).toBe('rejected');
    expect(stayed).toEqual({ status: 'fulfilled', value: 'token-1' });
  });

  it('are revoked with their own right; a missing one is no error', async () => {
    const statuses = [204, 404, 401, 403];
    scripted.script = (request) =>
      request.method === 'DELETE'
        ? { status: statuses.shift() ?? 500, body: { error: { message: 'forbidden' } } }
        : undefined;
    for (let time = 0; time < 3; time++) await cloud.identity.revoke('of-a-person');
    expect(await failureOf(cloud.identity.revoke('of-a-person'))).toMatchObject({ status: 403 });
    expect(scripted.seen.at(-1)?.headers).toMatchObject({
      'x-auth-token': 'of-a-person',
      'x-subject-token': 'of-a-person',
    });
  });

  it('of clients are validated; unknown and impossible ones are null', async () => {
    scripted.script = (request) => {
      if (request.method !== 'GET' || request.path !== '/v3/auth/tokens') return undefined;
      if (request.headers['x-subject-token'] !== 'theirs') return { status: 404, body: { error: { message: 'no' } } };
      const domain = { id: 'default', name: 'Default' };
      const token = {
        user: { id: 'u1', name: 'ann', domain },
        project: { id: 'p1', name: 'lab', domain },
        roles: [{ id: 'r1', name: 'admin' }],
        expires_at: '2026-01-01T01:00:00.000000Z',
      };
      return { status: 200, body: { token } };
    };
    expect(await cloud.identity.validate('theirs')).toEqual({
      userId: 'u1',
      userName: 'ann',
      projectId: 'p1',
      projectName: 'lab',
      domainId: null,
      roles: ['admin'],
      expiresAt: '2026-01-01T01:00:00.000000Z',
    });
    expect(await cloud.identity.validate('other')).toBeNull();
    expect(await cloud.identity.validate('two\r\nlines')).toBeNull();
    expect(scripted.count('GET /v3/auth/tokens')).toBe(2);
  });
});

describe('a cloud that cannot be used is explained in one line', () => {
  let scripted: ScriptedCloud;

  beforeEach(async () => {
    scripted = await startScriptedCloud();
  });

  afterEach(() => scripted.close());

  async function explanation(changes: Parameters<typeof connectTo>[1]): Promise<Error> {
    const cloud = connectTo(scripted, changes);
    const error = await failureOf(requireCloud(cloud));
    await cloud.close();
    if (!(error instanceof Error)) throw new Error('not an error');
    expect(error.message).not.toContain('\n');
    expect(error.message).not.toContain(goodPassword);
    return error;
  }

  it('wrong password', async () => {
    const error = await explanation({ credentials: passwordCredentials('wrong') });
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toContain('refused user vigil: wrong name, password or domain; check OS_USERNAME');
  });

  it('no such project', async () => {
    const error = await explanation({ credentials: passwordCredentials(goodPassword, 'nowhere') });
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toContain('project nowhere does not exist or gives the user no role');
  });

  it('URL of something else', async () => {
    const error = await explanation({ authUrl: `${scripted.url}/elsewhere` });
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toContain('/elsewhere/v3 does not respond like Keystone v3 (HTTP 404); check OS_AUTH_URL');
  });

  it('no server listens', async () => {
    const error = await explanation({ authUrl: 'http://127.0.0.1:1' });
    expect(error).toBeInstanceOf(OpenStackError);
    expect(error.message).toContain('cannot reach Keystone');
    expect(error.message).toContain('connection refused; check OS_AUTH_URL (http://127.0.0.1:1/v3)');
  });

  it('no such region', async () => {
    const error = await explanation({ region: 'Moon' });
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toContain('no region Moon (it has: RegionOne); check OS_REGION_NAME');
  });

  it('no such interface', async () => {
    const error = await explanation({ interface: 'admin' });
    expect(error.message).toContain('no admin endpoint of type compute in region RegionOne (types it has: compute, pl');
  });

  it('endpoint that is not Nova', async () => {
    const error = await explanation({ endpointOverrides: { compute: `${scripted.url}/wrong` } });
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toContain('does not respond like compute (HTTP 404 instead of a version document)');
  });

  it('token that is refused', async () => {
    scripted.script = (request) =>
      request.method === 'GET' && request.path === '/v3/auth/tokens' ? { status: 401 } : undefined;
    const error = await explanation({ credentials: { kind: 'token', token: 'stale', project: null } });
    expect(error.message).toContain('Keystone refused OS_TOKEN: unknown or expired');
  });
});

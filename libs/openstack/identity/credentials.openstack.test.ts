import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { Cloud } from '../cloud.ts';
import type { OpenStackConfig } from '../config/openstack-config.ts';
import { openStackConfigFromEnv } from '../config/openstack-config-from-env.ts';
import { createOpenStackCloud } from '../openstack-cloud.ts';
import { requireCloud } from '../require-cloud.ts';
import { failureOf } from '../testing/scripted-cloud.ts';
import type { ValidatedToken } from './types.ts';

describe('the ways to log in at a real Keystone', () => {
  const config = openStackConfigFromEnv(process.env);
  const opened: Cloud[] = [];
  const connect = (credentials: OpenStackConfig['credentials']) => {
    const cloud = createOpenStackCloud({ ...config, credentials }, { logger: silentLogger, clock: { now: Date.now } });
    opened.push(cloud);
    return cloud;
  };
  const owner = connect(config.credentials);
  let self: ValidatedToken;
  let credentialUrl: string;
  let credentialId: string;
  const secret = `contract-${Date.now()}`;
  const name = secret;

  async function keystone(method: string, url: string, body?: object): Promise<Response> {
    const headers = { 'x-auth-token': await owner.identity.token(), 'content-type': 'application/json' };
    return fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  }

  beforeAll(async () => {
    const validated = await owner.identity.validate(await owner.identity.token());
    assert.ok(validated !== null);
    self = validated;
    credentialUrl = `${config.authUrl}/users/${self.userId}/application_credentials`;
    const response = await keystone('POST', credentialUrl, { application_credential: { name, secret } });
    assert.equal(response.status, 201);
    const created = (await response.json()) as { application_credential: { id: string } };
    credentialId = created.application_credential.id;
  });

  afterAll(async () => {
    await keystone('DELETE', `${credentialUrl}/${credentialId}`);
    await Promise.all(opened.map((cloud) => cloud.close()));
  });

  it('an application credential by id', async () => {
    await requireCloud(connect({ kind: 'application-credential', credential: { id: credentialId }, secret }));
  });

  it('an application credential by name', async () => {
    const credential = { name, user: { id: self.userId } };
    await requireCloud(connect({ kind: 'application-credential', credential, secret }));
  });

  it('an application credential with a wrong secret', async () => {
    const wrong = connect({ kind: 'application-credential', credential: { id: credentialId }, secret: 'wrong' });
    expect(String(await failureOf(requireCloud(wrong)))).toContain('refused the application credential');
  });

  it('an unscoped token, and one for a project', async () => {
    const token = await owner.identity.token();
    await requireCloud(connect({ kind: 'token', token, project: null }));
    assert.ok(self.projectId !== null);
    await requireCloud(connect({ kind: 'token', token, project: { id: self.projectId } }));
  });

  it('a token that is none', async () => {
    for (const project of [null, { id: 'p' }]) {
      const error = await failureOf(requireCloud(connect({ kind: 'token', token: 'nonsense', project })));
      expect(String(error)).toContain('Keystone refused OS_TOKEN');
    }
  });
});

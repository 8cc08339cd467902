import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '#libs/domain';
import { openStackConfigFromEnv } from './openstack-config-from-env.ts';

const password = {
  OS_AUTH_URL: 'http://keystone:5000/',
  OS_USERNAME: 'ann',
  OS_PASSWORD: 'pw',
  OS_PROJECT_NAME: 'lab',
};

function faultsOf(env: Record<string, string>): string {
  try {
    openStackConfigFromEnv(env);
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
  throw new Error('the settings were expected to be refused');
}

describe('OS_* variables', () => {
  it('describe a password login with defaults', () => {
    expect(openStackConfigFromEnv(password)).toEqual({
      authUrl: 'http://keystone:5000/v3',
      credentials: {
        kind: 'password',
        user: { name: 'ann', domain: { id: 'default' } },
        password: 'pw',
        project: { name: 'lab', domain: { id: 'default' } },
      },
      region: null,
      interface: 'public',
      caCertificate: null,
      endpointOverrides: {},
      timeoutMs: 30_000,
    });
  });

  it('take ids before names, regions, interfaces in both spellings, and overrides', () => {
    const config = openStackConfigFromEnv({
      ...password,
      OS_AUTH_URL: 'https://keystone/identity/v3',
      OS_USER_ID: 'u1',
      OS_PROJECT_ID: 'p1',
      OS_REGION_NAME: 'One',
      OS_INTERFACE: 'internalURL',
      OS_COMPUTE_ENDPOINT_OVERRIDE: 'http://nova:8774/v2.1/',
      OS_BLOCK_STORAGE_ENDPOINT_OVERRIDE: 'http://cinder:8776/v3',
    });
    expect(config).toMatchObject({
      authUrl: 'https://keystone/identity/v3',
      credentials: { user: { id: 'u1' }, project: { id: 'p1' } },
      region: 'One',
      interface: 'internal',
      endpointOverrides: { compute: 'http://nova:8774/v2.1', 'block-storage': 'http://cinder:8776/v3' },
    });
  });

  it('take secrets and certificates from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-openstack-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'secret'), 'from-file\n');
    const { OS_PASSWORD: _, ...others } = password;
    const config = openStackConfigFromEnv({
      ...others,
      OS_PASSWORD_FILE: join(folder, 'secret'),
      OS_CACERT: join(folder, 'secret'),
    });
    expect(config.credentials).toMatchObject({ password: 'from-file' });
    expect(config.caCertificate).toBe('from-file\n');
  });

  it('describe application credentials and tokens', () => {
    const OS_AUTH_URL = password.OS_AUTH_URL;
    const byId = { OS_AUTH_URL, OS_APPLICATION_CREDENTIAL_ID: 'ac', OS_APPLICATION_CREDENTIAL_SECRET: 's' };
    expect(openStackConfigFromEnv(byId).credentials).toEqual({
      kind: 'application-credential',
      credential: { id: 'ac' },
      secret: 's',
    });
    expect(openStackConfigFromEnv({ OS_AUTH_URL, OS_TOKEN: 't' }).credentials).toEqual({
      kind: 'token',
      token: 't',
      project: null,
    });
    const chosen = openStackConfigFromEnv({ ...password, ...byId, OS_AUTH_TYPE: 'v3password' });
    expect(chosen.credentials.kind).toBe('password');
  });

  it('are refused with all faults at once and without secrets', () => {
    const text = faultsOf({
      OS_AUTH_URL: 'keystone:5000',
      OS_PASSWORD: 'very-secret',
      OS_INTERFACE: 'inside',
      OS_CACERT: '/no/such/file',
      VIGIL_OPENSTACK_TIMEOUT_MS: 'soon',
    });
    expect(text.split('; ')).toHaveLength(6);
    for (const name of ['OS_AUTH_URL', 'OS_USERNAME', 'OS_PROJECT_NAME', 'OS_INTERFACE', 'OS_CACERT', 'TIMEOUT_MS']) {
      expect(text).toContain(name);
    }
    expect(text).not.toContain('very-secret');
  });

  it('name the missing settings when nothing is set', () => {
    expect(faultsOf({})).toContain('OS_AUTH_URL: not set');
    expect(faultsOf({ ...password, OS_AUTH_URL: 'http://k/v2.0' })).toContain('Keystone v2 is not supported');
    expect(faultsOf({ ...password, OS_AUTH_TYPE: 'kerberos' })).toContain('OS_AUTH_TYPE: "kerberos" is none of');
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withCloud } from './clouds-file.ts';
import { connect } from './connect.ts';
import { quietContext } from './testing/every-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-cli-'));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
afterAll(() => rmSync(folder, { recursive: true }));

describe('clouds.yaml', () => {
  const clouds = file(
    'given.yaml',
    `clouds:
  lab:
    auth: { auth_url: https://keystone:5000/v3, username: me, project_name: ops, user_domain_name: Default }
    region_name: two
    verify: false
    cacert: /etc/ssl/lab.pem
  other: {}
`,
  );
  const secure = file('secret.yaml', 'clouds: { lab: { auth: { password: hush } } }');
  const env = { OS_CLIENT_CONFIG_FILE: clouds, OS_CLIENT_SECURE_FILE: secure };

  it('gives the values of the equivalent variables, with secrets from secure.yaml', () => {
    expect(withCloud(env, 'lab')).toEqual({
      ...env,
      OS_AUTH_URL: 'https://keystone:5000/v3',
      OS_USERNAME: 'me',
      OS_PASSWORD: 'hush',
      OS_PROJECT_NAME: 'ops',
      OS_USER_DOMAIN_NAME: 'Default',
      OS_REGION_NAME: 'two',
      OS_CACERT: '/etc/ssl/lab.pem',
      OS_INSECURE: 'true',
    });
  });

  it('comes after a variable that is set, and is left alone without a name', () => {
    expect(withCloud({ ...env, OS_REGION_NAME: 'one', OS_USERNAME: '' }, 'lab')).toMatchObject({
      OS_REGION_NAME: 'one',
      OS_USERNAME: 'me',
    });
    expect(withCloud(env, undefined)).toBe(env);
  });

  it('is read from the same places as by the OpenStack client', () => {
    mkdirSync(join(folder, '.config/openstack'), { recursive: true });
    file('.config/openstack/clouds.yaml', 'clouds: { home: { auth: { auth_url: http://home } } }');
    expect(withCloud({ HOME: folder }, 'home')).toMatchObject({ OS_AUTH_URL: 'http://home' });
  });

  it('names the missing value', () => {
    expect(() => withCloud(env, 'lap')).toThrow(`${clouds} has no cloud lap; it has lab, other`);
    expect(() => withCloud({ HOME: '/nonexistent' }, 'lab')).toThrow(
      /no clouds\.yaml found \(clouds\.yaml, .*openstack/,
    );
    expect(() => withCloud({ OS_CLIENT_CONFIG_FILE: file('bad.yaml', 'clouds: [') }, 'lab')).toThrow(
      /bad\.yaml cannot be read/,
    );
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('https', () => {
  let server: Server;
  let url: string;
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];

  beforeAll(async () => {
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Vigil';
    const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile];
    execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' });
    const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
    server = createServer(
      { key, cert, ca: cert, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const isKnown = (request.socket as unknown as { authorized: boolean }).authorized;
        const goal = { uuid: 'x', name: isKnown ? 'known' : 'anonymous' };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ goals: [goal], ...goal }));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  const goal = (globals: object, env: Record<string, string> = {}) =>
    connect({ url, ...globals }, { ...quietContext, env }).get('goals', 'x');

  it('is refused without the authority, and taken with it, or unseen', async () => {
    await expect(goal({})).rejects.toThrow(/self-signed certificate/);
    expect(await goal({}, { OS_CACERT: certFile })).toMatchObject({ name: 'anonymous' });
    expect(await goal({ osCacert: certFile })).toMatchObject({ name: 'anonymous' });
    expect(await goal({ insecure: true })).toMatchObject({ name: 'anonymous' });
    expect(await goal({}, { OS_INSECURE: '1' })).toMatchObject({ name: 'anonymous' });
  });

  it('shows the certificate of the client', async () => {
    const env = { OS_CACERT: certFile, OS_CERT: certFile, OS_KEY: keyFile };
    expect(await goal({}, env)).toMatchObject({ name: 'known' });
    expect(() => connect({ url }, { ...quietContext, env: { OS_KEY: keyFile } })).toThrow('OS_CERT');
    expect(() => connect({ url, osCacert: '/nonexistent' }, quietContext)).toThrow(/OS_CACERT: .*no such file/);
  });
});

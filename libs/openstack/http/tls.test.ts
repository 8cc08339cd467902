import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo, failureOf } from '../testing/scripted-cloud.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('TLS with a private authority', () => {
  let server: Server;
  let authUrl: string;
  let certificate: string;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Vigil';
    const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' });
    certificate = readFileSync(cert, 'utf8');
    const ownKey = readFileSync(key);
    rmSync(folder, { recursive: true });
    server = createServer({ key: ownKey, cert: certificate }, (_, response) => {
      const token = { issued_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T01:00:00Z', catalog: [] };
      response.writeHead(201, { 'x-subject-token': 'secure' }).end(JSON.stringify({ token }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    authUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is used when its certificate is given', async () => {
    const cloud = connectTo({ url: authUrl }, { caCertificate: certificate });
    expect(await cloud.identity.token()).toBe('secure');
    await cloud.close();
  });

  it('is refused otherwise, with the setting to correct', async () => {
    const cloud = connectTo({ url: authUrl });
    const error = await failureOf(cloud.identity.token());
    expect(String(error)).toContain('its certificate is self-signed; name its authority with OS_CACERT');
    await cloud.close();
  });
});

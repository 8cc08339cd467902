import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TlsFiles } from '#libs/service-kit/env';
import { HistoryUnavailableError } from '../history-port.ts';
import { createJsonHttp } from './json-http.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('https with a private authority and client certificates', () => {
  let server: Server;
  let own: { ca: string; cert: string; key: string };

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-history-tls-'));
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Vigil';
    const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile];
    execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' });
    const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
    rmSync(folder, { recursive: true });
    own = { ca: cert, cert, key };
    const options = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true };
    server = createServer(options, (_, response) => response.end('{"up":true}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function read(tls: TlsFiles): Promise<unknown> {
    const http = createJsonHttp({ source: 'secure', timeoutMs: 60_000, tls, describeFault: () => undefined });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return await http.request({ url }).finally(() => http.close());
  }

  it('accepts clients that trust its authority and have a certificate', async () => {
    expect(await read(own)).toEqual({ up: true });
  });

  it('refuses clients without a certificate, and is not trusted without its authority', async () => {
    await expect(read({})).rejects.toThrow(/secure: .*self-signed certificate/);
    await expect(read({ ca: own.ca })).rejects.toThrow(HistoryUnavailableError);
  });
});

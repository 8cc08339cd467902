import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createTlsFront, hasOpenssl, makeCertificates, type TestCertificates, type TlsFront } from '#tests';
import { type Influx2Emulator, startInflux2Emulator } from '../testing/influx2-emulator/index.ts';
import { createInfluxHistory } from './influx-history.ts';

const nowMs = Date.UTC(2026, 5, 1);

describe.skipIf(!hasOpenssl)('InfluxDB with TLS, a private authority and client certificates', () => {
  let server: Influx2Emulator;
  let certificates: TestCertificates;
  let front: TlsFront;
  beforeAll(async () => {
    certificates = makeCertificates();
    server = await startInflux2Emulator({ org: 'ops', bucket: 'vigil', token: 'hush' });
    front = await createTlsFront({ host: '127.0.0.1', port: Number(new URL(server.url).port) }, certificates);
  });
  afterAll(async () => {
    await front?.close();
    await server?.close();
    certificates?.remove();
  });

  async function writeAndRead(parameters: Record<string, string>): Promise<number | undefined> {
    const query = new URLSearchParams({ org: 'ops', bucket: 'vigil', token: 'hush', ...parameters });
    const url = `https://127.0.0.1:${front.port}/?${query}`;
    const history = createInfluxHistory({ url, logger: silentLogger, clock: { now: () => nowMs } });
    try {
      await history.write([{ metric: 'host_cpu_usage', resource: 'a', value: 12.5, at: nowMs - 1000 }]);
      return (await history.aggregate({ metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 60 })).get('a');
    } finally {
      await history.close();
    }
  }

  it('is found, written and read with the authority and the certificate of the URL', async () => {
    server.requests.length = 0;
    expect(await writeAndRead(certificates.parameters)).toBe(12.5);
    expect(server.requests).toEqual(['GET /health', 'POST /api/v2/write', 'POST /api/v2/query']);
  });

  it('is not trusted without the authority, even to detect the version', async () => {
    await expect(writeAndRead({})).rejects.toThrow(/unable to verify|self-signed certificate/);
    await expect(writeAndRead({ version: '2' })).rejects.toThrow(/unable to verify|self-signed certificate/);
  });

  it('refuses clients without a certificate', async () => {
    const { cacertfile } = certificates.parameters;
    await expect(writeAndRead({ cacertfile, version: '2' })).rejects.toThrow();
    await expect(writeAndRead({ cacertfile })).rejects.toThrow();
  });
});

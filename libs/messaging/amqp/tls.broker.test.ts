import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import {
  createTlsFront,
  hasOpenssl,
  makeCertificates,
  type TestCertificates,
  type TlsFront,
  testServerUrl,
} from '#tests';
import { createAmqpBus, probeAmqpNode } from './index.ts';

const broker = new URL(testServerUrl('rabbitmq'));

describe.skipIf(!hasOpenssl)('a broker with TLS, a private authority and client certificates', () => {
  let certificates: TestCertificates;
  let front: TlsFront;
  beforeAll(async () => {
    certificates = makeCertificates();
    front = await createTlsFront({ host: broker.hostname, port: Number(broker.port) }, certificates);
  });
  afterAll(async () => {
    await front?.close();
    certificates?.remove();
  });

  function urlWith(parameters: Record<string, string>, host = '127.0.0.1'): string {
    const url = new URL(broker.href.replace(/^amqp:/, 'amqps:'));
    url.host = `${host}:${front.port}`;
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  }
  const open = (url: string) =>
    createAmqpBus({
      url,
      prefix: `test-${randomUUID().slice(0, 8)}`,
      logger: silentLogger,
      appId: 'tls',
      catalogue: [],
    });
  const probe = (url: string) =>
    probeAmqpNode(url, { prefix: 'test', signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 });

  it('is used with the authority and the certificate that the URL names', async () => {
    const bus = await open(urlWith(certificates.parameters));
    await expect
      .poll(() =>
        bus.probe().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await bus.close();
    await probe(urlWith(certificates.parameters));
  });

  it('is not trusted without the authority or under another name, and refuses clients without a certificate', async () => {
    const { cacertfile } = certificates.parameters;
    await expect(probe(urlWith({}))).rejects.toThrow(/unable to verify|self-signed certificate/);
    await expect(probe(urlWith(certificates.parameters, 'localhost'))).rejects.toThrow(/does not match certificate/);
    await expect(probe(urlWith({ cacertfile }))).rejects.toThrow(/cannot be reached/);
  });

  it('names the fault of the files', async () => {
    const { certfile } = certificates.parameters;
    const reason = (parameters: Record<string, string>) => open(urlWith(parameters)).then(String, String);
    expect(await reason({ cacertfile: '/nonexistent' })).toMatch(
      /VIGIL_AMQP_URL: cacertfile cannot be read: .*no such file/,
    );
    expect(await reason({ certfile })).toContain('certfile and keyfile go together');
    const plain = urlWith({ cacertfile: certfile }).replace(/^amqps:/, 'amqp:');
    expect(await open(plain).then(String, String)).toContain('cacertfile needs a URL with TLS');
  });
});

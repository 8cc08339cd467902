import { chmodSync, chownSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger as logger } from '#libs/domain';
import { unprivilegedAccount } from '#libs/service-kit/embedded';
import {
  createStateDir,
  createTcpProxy,
  hasOpenssl,
  makeCertificates,
  type PostgresPair,
  startPostgresPair,
  type TestCertificates,
} from '#tests';
import { connectClient } from './connect-client.ts';
import { limitSilence, poolSettings } from './pool-settings.ts';

const common = { logger, applicationName: 'test', connectTimeoutMs: 10_000 };

describe.skipIf(!hasOpenssl)('two servers with TLS and a private authority', () => {
  let pair: PostgresPair;
  let folder: Awaited<ReturnType<typeof createStateDir>>;
  let own: TestCertificates;
  let stranger: TestCertificates;

  beforeAll(async () => {
    folder = await createStateDir('tls');
    stranger = makeCertificates();
    own = makeCertificates(folder.dir);
    const account = unprivilegedAccount();
    if (account !== undefined) chownSync(own.server.key, account.uid, account.gid);
    chmodSync(folder.dir, 0o755);
    pair = await startPostgresPair({
      ssl: 'on',
      ssl_cert_file: own.server.cert,
      ssl_key_file: own.server.key,
      ssl_ca_file: own.ca,
    });
  });
  afterAll(async () => {
    await pair?.stop();
    await folder?.remove();
    stranger?.remove();
  });

  const trusting = (url: string, { ca } = own) => `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`;

  it('a certificate of another authority, or for another name, is refused at every server', async () => {
    const untrusted = connectClient({ ...common, url: trusting(pair.url, stranger) }, () => undefined);
    await expect(untrusted).rejects.toThrow(
      /no server is the primary: 127.0.0.1:\d+ (unable to verify|self-signed certificate).*; 127.0.0.1:\d+ (unable to verify|self-signed)/,
    );
    const renamed = trusting(pair.url.replaceAll('127.0.0.1', 'localhost'));
    await expect(connectClient({ ...common, url: renamed }, () => undefined)).rejects.toThrow(
      /localhost:\d+ .*does not match certificate.*; localhost:\d+ .*does not match certificate/,
    );
  });

  it('the server sees the certificate of the client, and refuses one of another authority', async () => {
    const withCertificate = ({ client }: TestCertificates) =>
      `${trusting(pair.url)}&sslcert=${encodeURIComponent(client.cert)}&sslkey=${encodeURIComponent(client.key)}`;
    const open = await connectClient({ ...common, url: withCertificate(own) }, () => undefined);
    const { rows } = await open.query('SELECT client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await open.end();
    expect(rows).toEqual([{ client_dn: '/CN=vigil-client' }]);
    await expect(connectClient({ ...common, url: withCertificate(stranger) }, () => undefined)).rejects.toThrow();
  });

  it('a connection that falls silent behind TLS is given up too', async () => {
    const proxy = await createTcpProxy({ host: '127.0.0.1', port: Number(new URL(pair.primaryUrl).port) });
    const through = new URL(trusting(pair.primaryUrl));
    through.host = `127.0.0.1:${proxy.port}`;
    const open = await connectClient({ ...common, url: through.href }, () => undefined);
    proxy.freeze();
    limitSilence(open, 300);
    await expect(open.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await proxy.close();
  });

  it('every connection is encrypted, before and after the standby has taken over', async () => {
    const url = trusting(pair.url);
    const { settings, findPrimary } = poolSettings({ ...common, url, max: 1, statementTimeoutMs: 10_000 });
    const pool = new pg.Pool(settings);
    pool.on('error', () => undefined);
    const question = 'SELECT ssl, inet_server_port() AS port FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const isEncryptedAt = (server: string) => [{ ssl: true, port: Number(new URL(server).port) }];
    await findPrimary();
    expect((await pool.query(question)).rows).toEqual(isEncryptedAt(pair.primaryUrl));
    await pair.killPrimary();
    await pair.promote();
    const request = () =>
      pool.query(question).then(
        ({ rows }) => rows,
        () => null,
      );
    await expect.poll(request).toEqual(isEncryptedAt(pair.standbyUrl));
    const listening = await connectClient({ ...common, url, waits: true }, () => undefined);
    expect((await listening.query(question)).rows).toEqual(isEncryptedAt(pair.standbyUrl));
    await listening.end();
    await pool.end();
  });
});

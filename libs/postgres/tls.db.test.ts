import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createStateDir,
  createTcpProxy,
  silentLogger as logger,
  type PostgresPair,
  serverUser,
  startPostgresPair,
} from '#libs/testing';
import { connectClient } from './connect-client.ts';
import { poolSettings } from './pool-settings.ts';
import { limitSilence } from './silence-limit.ts';

const common = { logger, applicationName: 'test', connectTimeoutMs: 10_000 };
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('two servers with TLS and a private authority', () => {
  let pair: PostgresPair;
  let folder: Awaited<ReturnType<typeof createStateDir>>;
  const file = (name: string) => join(folder.dir, name);

  function openssl(...args: string[]): void {
    execFileSync('openssl', args, { stdio: 'ignore', cwd: folder.dir });
  }

  function makeAuthority(name: string): void {
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
    openssl(...request, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`);
  }

  beforeAll(async () => {
    folder = await createStateDir('tls');
    makeAuthority('authority');
    makeAuthority('stranger');
    const key = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=vigil'.split(' ');
    openssl(...key, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'server.key', '-out', 'server.csr');
    const sign = 'x509 -req -in server.csr -CA authority.pem -CAkey authority.key -days 2 -copy_extensions copy';
    openssl(...sign.split(' '), '-out', 'server.pem');
    const { uid, gid } = serverUser();
    if (uid !== undefined && gid !== undefined) chownSync(file('server.key'), uid, gid);
    pair = await startPostgresPair({ ssl: 'on', ssl_cert_file: file('server.pem'), ssl_key_file: file('server.key') });
  });
  afterAll(async () => {
    await pair?.stop();
    await folder?.remove();
  });

  const trusting = (url: string, authority: string) =>
    `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file(`${authority}.pem`))}`;

  it('a certificate of another authority, or for another name, is refused at every server', async () => {
    const untrusted = connectClient({ ...common, url: trusting(pair.url, 'stranger') }, () => undefined);
    await expect(untrusted).rejects.toThrow(
      /no server is the primary: 127.0.0.1:\d+ unable to verify.*; 127.0.0.1:\d+ unable to verify/,
    );
    const renamed = trusting(pair.url.replaceAll('127.0.0.1', 'localhost'), 'authority');
    await expect(connectClient({ ...common, url: renamed }, () => undefined)).rejects.toThrow(
      /localhost:\d+ .*does not match certificate.*; localhost:\d+ .*does not match certificate/,
    );
  });

  it('a connection that falls silent behind TLS is given up too', async () => {
    const proxy = await createTcpProxy({ host: '127.0.0.1', port: Number(new URL(pair.primaryUrl).port) });
    const through = new URL(trusting(pair.primaryUrl, 'authority'));
    through.host = `127.0.0.1:${proxy.port}`;
    const open = await connectClient({ ...common, url: through.href }, () => undefined);
    proxy.freeze();
    limitSilence(open, 300);
    await expect(open.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await proxy.close();
  });

  it('every connection is encrypted, before and after the standby has taken over', async () => {
    const url = trusting(pair.url, 'authority');
    const { settings, findPrimary } = poolSettings({ ...common, url, max: 1, statementTimeoutMs: 10_000 });
    const pool = new pg.Pool(settings);
    pool.on('error', () => undefined);
    const question = 'SELECT ssl, inet_server_port() AS port FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const isEncryptedAt = (server: string) => [{ ssl: true, port: Number(new URL(server).port) }];
    await findPrimary();
    expect((await pool.query(question)).rows).toEqual(isEncryptedAt(pair.primaryUrl));
    await pair.killPrimary();
    await pair.promote();
    const ask = () =>
      pool.query(question).then(
        ({ rows }) => rows,
        () => null,
      );
    await expect.poll(ask).toEqual(isEncryptedAt(pair.standbyUrl));
    const listening = await connectClient({ ...common, url, waits: true }, () => undefined);
    expect((await listening.query(question)).rows).toEqual(isEncryptedAt(pair.standbyUrl));
    await listening.end();
    await pool.end();
  });
});

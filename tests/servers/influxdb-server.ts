import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePorts } from '#libs/service-kit/embedded';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { startHttpServer } from './http-server.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

export const influxdbPackages: PackageSet = { name: 'influxdb', packages: ['influxdb'] };

function configuration(dir: string, httpPort: number, rpcPort: number): string {
  return [
    'reporting-disabled = true',
    `bind-address = "127.0.0.1:${rpcPort}"`,
    '[meta]',
    `dir = "${join(dir, 'meta')}"`,
    '[data]',
    `dir = "${join(dir, 'data')}"`,
    `wal-dir = "${join(dir, 'wal')}"`,
    'query-log-enabled = false',
    '[monitor]',
    'store-enabled = false',
    '[http]',
    `bind-address = "127.0.0.1:${httpPort}"`,
    'log-enabled = false',
    '',
  ].join('\n');
}

/** InfluxDB 1.6.7 of Debian 12, without authentication. Starts in under a second. */
export async function startInfluxdb(context: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(context.cacheDir, influxdbPackages);
  const state = await createStateDir('influxdb');
  const [httpPort, rpcPort] = (await findFreePorts(2)) as [number, number];
  const url = `http://127.0.0.1:${httpPort}`;
  const configFile = join(state.dir, 'influxdb.conf');
  await writeFile(configFile, configuration(state.dir, httpPort, rpcPort), { mode: 0o644 });
  return startHttpServer({
    name: 'influxdb',
    command: join(root, 'usr/bin/influxd'),
    args: ['run', '-config', configFile],
    state,
    url,
    readyPath: '/ping',
  });
}

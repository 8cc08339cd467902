import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePorts } from '#libs/service-kit/embedded';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { startHttpServer } from './http-server.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

export const prometheusPackages: PackageSet = { name: 'prometheus', packages: ['prometheus'] };

/** Tests write samples with any time, in any order. Nothing is scraped. */
const configuration = `
storage:
  tsdb:
    out_of_order_time_window: 36500d
`;

/**
 * Prometheus 2.42 of Debian 12 that takes samples by remote write, below the path prefix /prom. Starts in under a
 * second.
 */
export async function startPrometheus(context: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(context.cacheDir, prometheusPackages);
  const state = await createStateDir('prometheus');
  const [port] = (await findFreePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}/prom`;
  const configFile = join(state.dir, 'prometheus.yml');
  await writeFile(configFile, configuration, { mode: 0o644 });
  return startHttpServer({
    name: 'prometheus',
    command: join(root, 'usr/bin/prometheus'),
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(state.dir, 'data')}`,
      '--storage.tsdb.retention.time=100y',
      '--web.enable-remote-write-receiver',
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.route-prefix=/prom',
      `--web.external-url=${url}`,
      '--log.level=warn',
    ],
    env: { GOMAXPROCS: '1' },
    state,
    url,
    readyPath: '/-/ready',
  });
}

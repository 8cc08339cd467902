import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePorts } from '#libs/service-kit/embedded';
import { type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { startHttpServer } from './http-server.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

export const alertmanagerPackages: PackageSet = {
  name: 'alertmanager',
  packages: ['prometheus-alertmanager'],
  relocate: useOwnTemplates,
};

/** Debian's program reads its templates here. */
const templates = '/usr/share/prometheus/alertmanager';
const startScript = '#!/bin/sh\ncd "$(dirname "$0")/../.." && exec usr/bin/prometheus-alertmanager "$@"\n';

/** The path of the templates becomes relative, in the same number of bytes, to the folder that the script enters. */
async function useOwnTemplates(root: string): Promise<void> {
  const program = join(root, 'usr/bin/prometheus-alertmanager');
  const relative = 'usr/share/prometheus//alertmanager';
  const content = await readFile(program, 'latin1');
  await writeFile(program, content.replaceAll(templates, relative), 'latin1');
  await writeFile(join(root, 'usr/bin/vigil-alertmanager'), startScript, { mode: 0o755 });
}

/**
 * Debian's Alertmanager 0.25. Each test starts it with its own receivers. `url` is the path of the program. `amtool`
 * is in the same folder.
 */
export async function provideAlertmanager({ cacheDir }: TestServerContext): Promise<TestServer> {
  const root = await unpackDebianPackages(cacheDir, alertmanagerPackages);
  return { url: join(root, 'usr/bin/vigil-alertmanager'), stop: async () => undefined };
}

/** Starts the program with a configuration, and files that it names in the folder of the configuration. */
export async function startAlertmanager(
  program: string,
  configuration: string,
  files: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const state = await createStateDir('alertmanager');
  const [port] = (await findFreePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  for (const [name, content] of Object.entries({ ...files, 'alertmanager.yml': configuration }))
    await writeFile(join(state.dir, name), content, { mode: 0o644 });
  return startHttpServer({
    name: 'alertmanager',
    command: program,
    args: [
      `--config.file=${join(state.dir, 'alertmanager.yml')}`,
      `--storage.path=${join(state.dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // A single one: no gossip with others.
      '--cluster.listen-address=',
      '--log.level=debug',
    ],
    env: { GOMAXPROCS: '1' },
    state,
    url,
    readyPath: '/-/ready',
  });
}

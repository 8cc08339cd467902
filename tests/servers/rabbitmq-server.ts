import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePorts } from '#libs/service-kit/embedded';
import { libraryPath, type PackageSet, unpackDebianPackages } from './debian-packages.ts';
import { type GuardedProcess, type ProcessOptions, startGuardedProcess } from './guarded-process.ts';
import { createStateDir } from './server-user.ts';
import type { TestServer, TestServerContext } from './test-server.ts';

export const rabbitmqPackages: PackageSet = {
  name: 'rabbitmq',
  packages: ['rabbitmq-server'],
  relocate,
};

/** Debian's `erl` contains its root folder. This makes it find the root from its location. */
async function relocate(root: string): Promise<void> {
  const erl = join(root, 'usr/lib/erlang/bin/erl');
  const text = await readFile(erl, 'utf8');
  await writeFile(erl, text.replaceAll('ROOTDIR=/usr/lib/erlang', 'ROOTDIR="$(cd "$(dirname "$0")/.." && pwd)"'));
  await chmod(erl, 0o755);
}

async function onlyEntry(folder: string, start: string): Promise<string> {
  const found = (await readdir(folder)).find((entry) => entry.startsWith(start));
  if (found === undefined) throw new Error(`${folder} has no ${start}*`);
  return join(folder, found);
}

/** Sends an AMQP greeting. A ready server responds with `connection.start`. */
async function greet(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(2000, () => socket.destroy(new Error('no AMQP greeting within 2 s')));
  try {
    await once(socket, 'connect');
    socket.write(Buffer.from('AMQP\x00\x00\x09\x01', 'binary'));
    const [first] = await once(socket, 'data');
    if (!(first instanceof Buffer) || first[0] !== 1) throw new Error('the port does not speak AMQP 0-9-1');
  } finally {
    socket.destroy();
  }
}

/** Options of a separate RabbitMQ: a folder, free ports, a port mapper (epmd), a node name and a cookie. */
export interface RabbitmqNode {
  url: string;
  /** As Erlang knows it, such as `vigil-test-0a1b@localhost`. */
  name: string;
  state: Awaited<ReturnType<typeof createStateDir>>;
  /** Folders of programs. */
  erlang: string;
  env: Record<string, string>;
  epmd: ProcessOptions;
  server: ProcessOptions;
}

/** Makes the folder of a node and finds its ports. Starts nothing. */
export async function prepareRabbitmq(context: TestServerContext): Promise<RabbitmqNode> {
  const root = await unpackDebianPackages(context.cacheDir, rabbitmqPackages);
  const erlang = join(root, 'usr/lib/erlang');
  const sbin = join(await onlyEntry(join(root, 'usr/lib/rabbitmq/lib'), 'rabbitmq_server-'), 'sbin');
  const state = await createStateDir('rabbitmq');
  const [port, distPort, epmdPort] = (await findFreePorts(3)) as [number, number, number];
  const name = `vigil-test-${randomBytes(4).toString('hex')}@localhost`;
  const env = {
    PATH: `${join(erlang, 'bin')}:${process.env.PATH}`,
    LD_LIBRARY_PATH: libraryPath(root),
    HOME: state.dir,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: name,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_MNESIA_BASE: join(state.dir, 'mnesia'),
    RABBITMQ_LOG_BASE: join(state.dir, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_ENABLED_PLUGINS_FILE: join(state.dir, 'enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: join(state.dir, 'rabbitmq-env.conf'),
    RABBITMQ_CONFIG_FILE: join(state.dir, 'rabbitmq.conf'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none',
  };
  const common = { stateDir: state.dir, env };
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    ...{ name, state, erlang, env },
    epmd: {
      ...common,
      name: 'epmd',
      command: join(await onlyEntry(erlang, 'erts-'), 'bin/epmd'),
      args: ['-port', String(epmdPort), '-address', '127.0.0.1'],
      probe: async () => {
        const socket = connect(epmdPort, '127.0.0.1');
        await once(socket, 'connect').finally(() => socket.destroy());
      },
      startTimeoutMs: 20_000,
    },
    server: {
      ...common,
      name: 'rabbitmq',
      command: join(sbin, 'rabbitmq-server'),
      args: [],
      probe: () => greet(port),
      startTimeoutMs: 300_000,
    },
  };
}

/**
 * RabbitMQ 3.10 of Debian 12 with a separate port mapper (epmd), node name and cookie, so that several can run on
 * one machine. Starts in about 8 s.
 */
export async function startRabbitmq(context: TestServerContext): Promise<TestServer> {
  const { url, state, epmd, server } = await prepareRabbitmq(context);
  const started: GuardedProcess[] = [];
  async function stop(): Promise<void> {
    for (const guarded of started.reverse()) await guarded.stop();
    await state.remove();
  }
  try {
    for (const part of [epmd, server]) started.push(await startGuardedProcess(part));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

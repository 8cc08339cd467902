import { randomUUID } from 'node:crypto';
import type { VigilClient } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { findFreePorts } from '#libs/service-kit/embedded';
import { createStore, type Store } from '#libs/store';
import { createTcpProxy, createTestDatabase, type TcpProxy } from '#tests';
import { type CloudLog, followCloudLog, type LoggedRequest } from './cloud-log.ts';
import type { CodePatch } from './code-patch.ts';
import { createDiary, type Diary } from './diary.ts';
import { type Loss, type Member, type MemberEnd, type Role, startMember } from './members.ts';
import type { StackServers } from './servers.ts';
import { type StackSimulator, startSimulator } from './simulator.ts';

/** Real servers, a simulated cloud and processes of Vigil, and the connections that the test itself uses. */
export interface Stack {
  members: Member[];
  /** A client for each API process. */
  clients: VigilClient[];
  servers: StackServers;
  /** Proxies between the processes and the servers. Without a broker, that of RabbitMQ leads to the database too. */
  proxies: { postgres: TcpProxy; rabbitmq: TcpProxy };
  /** Around the proxy. */
  store: Store;
  /** Around the proxy. */
  databaseUrl: string;
  cloud: Cloud;
  /** Client of the same cloud for another user. */
  othersCloud: Cloud;
  /** Requests to the cloud. */
  log: CloudLog;
  /** Environment with which a message bus of the test reaches the same queues, around the proxy. */
  bus: { amqpUrl?: string; databaseUrl: string; prefix: string };
  control: StackSimulator['control'];
  /** Kills and freezes. */
  losses: Loss[];
  diary: Diary;
  stop(): Promise<void>;
}

/** Options of a stack. */
export interface StackOptions {
  servers: StackServers;
  /** First part of the names of queues. */
  name: string;
  /** Arguments of the simulator in addition to its port. */
  simulator: readonly string[];
  /** Whether the simulator writes the load into the database. Default false. */
  hasHistory?: boolean;
  /** Number of processes of each role. */
  members: Partial<Record<Role, number>>;
  /** Environment of every process. */
  env: NodeJS.ProcessEnv;
  /** Environment of one process on top. */
  envOf?(name: string, role: Role): NodeJS.ProcessEnv;
  /** Delay of each packet to and from database and broker, in milliseconds, by the name of a process. */
  delays?: Readonly<Record<string, number>>;
  /** Pause before an ended process is started again, in milliseconds. */
  restartMs(): number;
  /** Milliseconds by which the clock of the next process is ahead. Default 0. */
  clockOffsetMs?(): number;
  /** Changes of the code of a process. Default none. */
  patchesOf?(role: Role): readonly CodePatch[];
  /** Time limit of a request of the clients. Default 5,000 ms. */
  clientTimeoutMs?: number;
  /** Receives the reason of a failed start. */
  onTrouble(text: string): void;
  /** Called at each end of a process before the stack stops. */
  onEnd?(end: MemberEnd): void;
  /** Receives all that the process with this name prints. */
  onOutput?(name: string, chunk: string): void;
}

/** Starts database, cloud and all processes. Resolves when all are ready. The servers must be up. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { servers } = options;
  const database = await createTestDatabase();
  const store = await createStore({ url: database.url, logger: silentLogger });
  const history = options.hasHistory ? { VIGIL_DATABASE_URL: database.url } : {};
  const simulator = await startSimulator(options.simulator, history);
  const amqpUrl = servers.rabbitmq?.url;
  const prefix = `${options.name}_${randomUUID().slice(0, 8)}`;
  const opened: TcpProxy[] = [];
  const losses: Loss[] = [];
  const diary = createDiary();

  async function proxyPair(delayMs: number): Promise<Stack['proxies']> {
    const pair = { postgres: await proxyTo(database.url), rabbitmq: await proxyTo(amqpUrl ?? database.url) };
    for (const proxy of Object.values(pair)) if (delayMs > 0) proxy.delay(delayMs);
    opened.push(...Object.values(pair));
    return pair;
  }

  function addressesBy(pair: Stack['proxies']): NodeJS.ProcessEnv {
    return {
      VIGIL_DATABASE_URL: through(database.url, pair.postgres),
      ...(amqpUrl ? { VIGIL_AMQP_URL: through(amqpUrl, pair.rabbitmq), VIGIL_AMQP_PREFIX: prefix } : {}),
    };
  }

  const proxies = await proxyPair(0);
  const env = { ...simulator.credentials(), ...addressesBy(proxies), VIGIL_LOG_LEVEL: 'info', ...options.env };
  const slow = new Map<string, NodeJS.ProcessEnv>();
  for (const [name, delayMs] of Object.entries(options.delays ?? {})) {
    slow.set(name, addressesBy(await proxyPair(delayMs)));
  }
  const starting: Promise<Member>[] = [];
  const clients: VigilClient[] = [];
  const wanted = Object.entries(options.members) as [Role, number][];
  const ports = await findFreePorts(Math.max(...wanted.map(([, count]) => count)));
  for (const [place, port] of ports.entries()) {
    const number = place + 1;
    for (const [role] of wanted.filter(([, count]) => number <= count)) {
      const name = `${role}-${number}`;
      if (role === 'api') {
        clients.push(simulator.clientOf(`http://127.0.0.1:${port}`, options.clientTimeoutMs ?? 5000));
      }
      const own = { ...slow.get(name), ...options.envOf?.(name, role) };
      starting.push(
        startMember({
          name,
          role,
          env: { ...env, VIGIL_HOST_ID: name, VIGIL_PORT: String(port), ...own },
          restartMs: options.restartMs,
          clockOffsetMs: options.clockOffsetMs ?? (() => 0),
          patches: options.patchesOf?.(role) ?? [],
          diary,
          onLoss: (loss) => losses.push(loss),
          onTrouble: options.onTrouble,
          onEnd: options.onEnd,
          onOutput: options.onOutput && ((chunk) => options.onOutput?.(name, chunk)),
        }),
      );
    }
  }
  const members = await Promise.all(starting);
  const [cloud, othersCloud] = [simulator.credentials(), simulator.credentials('admin', 'admin')].map((own) =>
    createOpenStackCloud(openStackConfigFromEnv(own), { logger: silentLogger, clock: systemClock }),
  ) as [Cloud, Cloud];
  const { control } = simulator;
  return {
    ...{ members, clients, servers, proxies, store, cloud, othersCloud, control, losses, diary },
    databaseUrl: database.url,
    log: followCloudLog(
      async (since) => (await control<{ requests: LoggedRequest[] }>(`/requests?since=${since}`, null)).requests,
    ),
    bus: { amqpUrl, databaseUrl: database.url, prefix },
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
      await Promise.all([cloud.close(), othersCloud.close()]);
      await simulator.stop();
      await Promise.all(opened.map((proxy) => proxy.close()));
      await store.close();
      await database.drop();
    },
  };
}

function proxyTo(url: string): Promise<TcpProxy> {
  const { hostname, port, protocol } = new URL(url);
  return createTcpProxy({ host: hostname, port: Number(port || (protocol === 'amqp:' ? 5672 : 5432)) });
}

function through(url: string, proxy: TcpProxy): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(proxy.port);
  return changed.href;
}

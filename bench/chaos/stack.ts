import { randomUUID } from 'node:crypto';
import { createVigilClient, type VigilClient } from '#libs/client';
import { type RandomSource, silentLogger } from '#libs/domain';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { findFreePorts } from '#libs/service-kit/embedded';
import { createStore, type Store } from '#libs/store';
import { createTcpProxy, createTestDatabase, type TcpProxy } from '#tests';
import { startVigil, type VigilProcess } from '../../tests/system/index.ts';
import { type CloudLog, followCloudLog, type LoggedRequest } from './cloud-log.ts';
import type { CodePatch } from './code-patch.ts';
import { createDiary, type Diary } from './diary.ts';
import { type Loss, type Member, type Role, startMember } from './members.ts';
import type { ChaosServers } from './servers.ts';
import { writeChaosWorld } from './world.ts';

/** Length of the leases of appliers and engines by default, so that many kills fit into a run. */
export const shortLeaseSeconds = 5;
/** How many times faster than real time the simulated cloud is. */
const speed = 30;

/**
 * Two of each process on real servers, and what the test itself uses, which is disturbed only by what befalls the
 * servers and the APIs.
 */
export interface ChaosStack {
  members: Member[];
  clients: VigilClient[];
  servers: ChaosServers;
  /** Without a broker, that of RabbitMQ leads to the database too. */
  proxies: { postgres: TcpProxy; rabbitmq: TcpProxy };
  /** Around the proxy. */
  store: Store;
  cloud: Cloud;
  /** The same cloud for another user. */
  othersCloud: Cloud;
  /** Requests to the cloud. */
  log: CloudLog;
  /** Environment with which a message bus of the test reaches the same queues, around the proxy. */
  bus: { amqpUrl?: string; databaseUrl: string; prefix: string };
  /** POSTs to (or with `null` GETs from) the control API of the simulator. */
  control<Answer>(path: string, body: object | null, method?: string): Promise<Answer>;
  leaseSeconds: number;
  /** Kills and freezes. */
  losses: Loss[];
  diary: Diary;
  stop(): Promise<void>;
}

/** Options of a stack. */
export interface ChaosStackOptions {
  servers: ChaosServers;
  random: RandomSource;
  /** Of appliers and engines. All other periods are in the proportion to it that they have by default. */
  leaseSeconds: number;
  onTrouble(text: string): void;
  /** Members of each role. Default two of every one. */
  members?: Partial<Record<Role, number>>;
  /** Whether clocks are wrong. Default true. */
  skewed?: boolean;
  /** On top of what every process gets. */
  env?: NodeJS.ProcessEnv;
  /** Protections that are taken out of the code of appliers. */
  patches?: readonly CodePatch[];
}

const twoOfEach: Record<Role, number> = { api: 2, 'decision-engine': 2, applier: 2, coordinator: 2, scheduler: 2 };
/** How far clocks are ahead, in seconds, each as often as it stands here. */
const clockOffsets = [0, 0, 0, 0.7, -0.7, 20, -20, 600, -600];

/** Starts database, broker, cloud and all processes. Resolves when all are ready. */
export async function startChaosStack(options: ChaosStackOptions): Promise<ChaosStack> {
  const { random, leaseSeconds, servers } = options;
  const database = await createTestDatabase();
  const store = await createStore({ url: database.url, logger: silentLogger });
  const world = await writeChaosWorld();
  const started = startVigil([...simulatorArguments, '--world', world.path], { VIGIL_LOG_LEVEL: 'error' });
  // It has read the world by then, so that nothing is left behind if this process is killed.
  const simulator = await started.finally(() => world.remove());
  const amqpUrl = servers.rabbitmq?.url;
  const proxies = { postgres: await proxyTo(database.url), rabbitmq: await proxyTo(amqpUrl ?? database.url) };
  const prefix = `chaos_${randomUUID().slice(0, 8)}`;
  const losses: Loss[] = [];
  const diary = createDiary();
  const env: NodeJS.ProcessEnv = {
    ...credentials(simulator),
    VIGIL_DATABASE_URL: through(database.url, proxies.postgres),
    ...(amqpUrl ? { VIGIL_AMQP_URL: through(amqpUrl, proxies.rabbitmq), VIGIL_AMQP_PREFIX: prefix } : {}),
    VIGIL_LOG_LEVEL: 'info',
    ...periodsOf(leaseSeconds),
    VIGIL_APPLIER_WORKERS: '8',
    VIGIL_APPLIER_TIME_SCALE: String(speed),
    VIGIL_APPLIER_MAX_TAKEOVERS: '1000',
    VIGIL_AUDIT_MAX_ATTEMPTS: '100',
    VIGIL_OUTCOME_DELAY_SECONDS: '1',
    ...options.env,
  };
  const starting: Promise<Member>[] = [];
  const clients: VigilClient[] = [];
  const wanted = Object.entries(options.members ?? twoOfEach) as [Role, number][];
  const ports = await findFreePorts(Math.max(...wanted.map(([, count]) => count)));
  for (const [place, port] of ports.entries()) {
    const number = place + 1;
    for (const [role] of wanted.filter(([, count]) => number <= count)) {
      const name = `${role}-${number}`;
      if (role === 'api') clients.push(clientOf(`http://127.0.0.1:${port}`, simulator));
      starting.push(
        startMember({
          name,
          role,
          env: { ...env, VIGIL_HOST_ID: name, VIGIL_PORT: String(port) },
          restartMs: () => 100 + random() * 900,
          clockOffsetMs: () =>
            options.skewed === false ? 0 : 1000 * (clockOffsets[Math.floor(random() * clockOffsets.length)] ?? 0),
          // Others than appliers run as they are: to load a program with patches costs ten times as much.
          patches: role === 'applier' ? (options.patches ?? []) : [],
          diary,
          onLoss: (loss) => losses.push(loss),
          onTrouble: options.onTrouble,
        }),
      );
    }
  }
  const members = await Promise.all(starting);
  const [cloud, othersCloud] = [credentials(simulator), credentials(simulator, 'admin', 'admin')].map((own) =>
    createOpenStackCloud(openStackConfigFromEnv(own), { logger: silentLogger, clock: systemClock }),
  ) as [Cloud, Cloud];
  return {
    members,
    clients,
    servers,
    proxies,
    store,
    cloud,
    othersCloud,
    log: followCloudLog(
      async (since) =>
        (await control<{ requests: LoggedRequest[] }>(simulator, `/requests?since=${since}`, null)).requests,
    ),
    bus: { amqpUrl, databaseUrl: database.url, prefix },
    leaseSeconds,
    losses,
    diary,
    control: (path, body, method) => control(simulator, path, body, method),
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
      await Promise.all([cloud.close(), othersCloud.close()]);
      await simulator.stop();
      await Promise.all([proxies.postgres.close(), proxies.rabbitmq.close()]);
      await store.close();
      await database.drop();
    },
  };
}

/** With the default of 30 s all of these are the defaults as well. */
function periodsOf(leaseSeconds: number): NodeJS.ProcessEnv {
  const share = (part: number, least: number) => String(Math.max(least, Math.round(leaseSeconds * part)));
  return {
    VIGIL_APPLIER_LEASE_SECONDS: String(leaseSeconds),
    VIGIL_LEASE_SECONDS: String(leaseSeconds),
    VIGIL_APPLIER_POLL_SECONDS: share(1 / 6, 1),
    VIGIL_AUDIT_POLL_SECONDS: share(1 / 6, 1),
    VIGIL_GATE_PERIOD_SECONDS: share(1 / 6, 1),
    VIGIL_COORDINATOR_LEASE_SECONDS: share(1 / 2, 2),
    VIGIL_COORDINATOR_POLL_SECONDS: share(1 / 15, 1),
    VIGIL_OPENSTACK_TIMEOUT_MS: String(leaseSeconds * 1000),
  };
}

const simulatorArguments = [
  'simulator',
  ...['--port', '0'],
  ...['--speed', String(speed)],
  ...['--backfill-minutes', '0'],
];

function credentials(simulator: VigilProcess, user = 'vigil', project = 'service'): NodeJS.ProcessEnv {
  return {
    OS_AUTH_URL: `${simulator.url}/identity/v3`,
    OS_USERNAME: user,
    OS_PASSWORD: 'vigil',
    OS_PROJECT_NAME: project,
    OS_USER_DOMAIN_NAME: 'Default',
    OS_PROJECT_DOMAIN_NAME: 'Default',
    OS_REGION_NAME: 'RegionOne',
  };
}

function clientOf(url: string, simulator: VigilProcess): VigilClient {
  const domain = { name: 'Default' };
  return createVigilClient({
    url,
    timeoutMs: 5000,
    credentials: {
      kind: 'password',
      authUrl: `${simulator.url}/identity`,
      userName: 'admin',
      password: 'vigil',
      userDomain: domain,
      projectName: 'admin',
      projectDomain: domain,
    },
  });
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

async function control<Answer>(
  simulator: VigilProcess,
  path: string,
  body: object | null,
  method = body ? 'POST' : 'GET',
): Promise<Answer> {
  const response = await fetch(`${simulator.url}/simulator${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? null : await response.json()) as Answer;
}

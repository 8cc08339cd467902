import { fileURLToPath } from 'node:url';
import { type Gate, startBehindGate, watchForProcess } from '#libs/dependencies';
import { createRandom } from '#libs/domain';
import { createMemcachedCache, type ValueCache } from '#libs/dynamic-properties';
import type { MessageBus } from '#libs/messaging';
import { openBus } from '#libs/messaging/connect';
import { parseAllowedHosts } from '#libs/notification-targets';
import {
  type Cloud,
  createOpenStackCloud,
  type IdentityPort,
  type OpenStackConfig,
  openStackConfigFromEnv,
} from '#libs/openstack';
import { parseMigrationNetworks } from '#libs/plugin-kit';
import { registerService } from '#libs/processes';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore, type Store, startOutboxRelay } from '#libs/store';
import type { AddressDeps, DashboardParts, LimitDeps } from './api-deps.ts';
import { buildApp } from './app.ts';
import type { AccessDeps } from './auth/access-deps.ts';
import { createPolicy, type Policy } from './auth/policy.ts';
import { loadPolicyFile } from './auth/policy-file.ts';
import { knowsOfTls, requireLoopback } from './checks.ts';
import { webSsoOf } from './dashboard/web-sso.ts';
import type { apiEnv } from './env.ts';
import { type FrontServer, startFrontServer } from './operations/front-server.ts';
import { recheckAutoTrigger } from './routes/v1/audits/recheck-auto-trigger.ts';

type Context = ServiceContext<typeof apiEnv>;

/** A message that waits longer than this makes the process not ready, because requested work is not started. */
const maxOutboxAgeSeconds = 60;
const outboxMeasureMs = 5_000;
/** Interval at which the policy file is checked. */
const policyCheckMs = 5_000;

/** Builds and starts an API process: store, identity, outbox relay, HTTP server. */
export async function composeApi(context: Context): Promise<{ url: string }> {
  const { env, teardown, readiness, metrics } = context;
  const databaseUrl = requireDatabaseUrl(env);
  const { identity, cloud, ports } = await startIdentity(context);
  const { gate, ...addresses } = await watchForProcess('api', context, {
    databaseUrl,
    cloud,
    memcached: env.VIGIL_MEMCACHED_URL ? [new URL(env.VIGIL_MEMCACHED_URL).host] : [],
  });
  const mountPrefix = env.VIGIL_PUBLIC_URL ? new URL(env.VIGIL_PUBLIC_URL).pathname.replace(/\/+$/, '') : '';
  const at = { host: env.VIGIL_HOST, port: env.VIGIL_PORT };
  const metricsToken = env.VIGIL_METRICS_TOKEN;
  const base = { mountPrefix, publicUrl: env.VIGIL_PUBLIC_URL, proxyHeaders: env.VIGIL_ENABLE_PROXY_HEADERS };
  const front = await teardown.start('http server', () =>
    startFrontServer({ gate, readiness, metrics, metricsToken, ...base }, at),
  );
  await startBehindGate(context, gate, (parts) =>
    startApi({ ...context, teardown: parts }, { ...addresses, identity, ports, gate, front }),
  );
  return { url: front.url };
}

/** Parts that exist before the API's dependencies are available. */
interface Prepared {
  databaseUrl: string;
  identity: IdentityPort | null;
  ports: Cloud | null;
  gate: Gate;
  amqpNodes: string[];
  front: FrontServer;
}

async function startApi(context: Context, prepared: Prepared): Promise<void> {
  const { logger, metrics, clock, newUuid, teardown, readiness } = context;
  const { databaseUrl, identity, ports, gate, amqpNodes, front } = prepared;
  const hasNoPrimary = () => !gate.isUp('postgresql');
  const store = await openStore(context, databaseUrl, 'vigil-api', { hasNoPrimary });
  const registration = await registerService(context, { type: 'watcher-api', store, databaseUrl });
  const bus = await openBus(context, { databaseUrl, amqpNodes });
  startRelay(context, store, bus);
  const app = await buildApp({
    store,
    logger,
    metrics,
    tracer: context.tracer,
    clock,
    newUuid,
    random: createRandom(clock.now()),
    readiness,
    diagnostics: registration.diagnostics,
    gate,
    bus,
    deadLetters: bus,
    cloud: ports,
    propertyCache: await startPropertyCache(context),
    ...accessOf(context, { identity, policy: await loadPolicy(context, store) }),
    ...addressesOf(context),
    ...limitsOf(context),
    ...dashboardOf(context),
  });
  await app.ready();
  front.use(app);
  teardown.add('application', async () => {
    front.use(null);
    await app.close();
    await front.settled();
  });
  await registration.runPart('outbox-relay');
  await registration.started(bus);
}

/** URL of Keystone as clients reach it. */
function keystoneUrl({ env }: Context): string | undefined {
  return env.VIGIL_WWW_AUTHENTICATE_URI ?? process.env.OS_AUTH_URL;
}

function accessOf(context: Context, known: Pick<AccessDeps, 'identity' | 'policy'>): AccessDeps {
  const { env } = context;
  return {
    ...known,
    authMode: env.VIGIL_AUTH,
    authUri: keystoneUrl(context),
    tokenCacheSeconds: env.VIGIL_TOKEN_CACHE_SECONDS,
    webhooksAuth: env.VIGIL_ENABLE_WEBHOOKS_AUTH,
    metricsToken: env.VIGIL_METRICS_TOKEN,
  };
}

function addressesOf({ env }: Context): AddressDeps {
  return {
    publicUrl: env.VIGIL_PUBLIC_URL,
    proxyHeaders: env.VIGIL_ENABLE_PROXY_HEADERS,
    trustedProxies: env.VIGIL_TRUSTED_PROXIES,
    hstsSeconds: env.VIGIL_HSTS_SECONDS,
    corsOrigins: env.VIGIL_CORS_ALLOWED_ORIGIN,
  };
}

function limitsOf(context: Context): LimitDeps {
  const { env } = context;
  const targetHosts = parseAllowedHosts(env.VIGIL_NOTIFICATION_ALLOWED_HOSTS);
  return {
    rates: context.follow(() => ({
      perMinute: env.VIGIL_API_RATE_LIMIT,
      unknownTokensPerMinute: env.VIGIL_API_UNKNOWN_TOKEN_LIMIT,
    })),
    routeLimits: env.VIGIL_API_ROUTE_LIMITS,
    maxLimit: env.VIGIL_API_MAX_LIMIT,
    parallelism: () => ({
      limits: {
        workers: env.VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN,
        source: env.VIGIL_PLAN_PARALLEL_PER_SOURCE_HOST,
        destination: env.VIGIL_PLAN_PARALLEL_PER_DESTINATION_HOST,
        network: env.VIGIL_PARALLEL_PER_NETWORK,
      },
      networks: parseMigrationNetworks('VIGIL_MIGRATION_NETWORKS', env.VIGIL_MIGRATION_NETWORKS),
    }),
    oppositeAudits: () => env.VIGIL_OPPOSITE_AUDITS,
    targetHosts: () => targetHosts,
    approvalRules: () => env.VIGIL_APPROVAL_RULES,
    automationRules: () => env.VIGIL_AUTOMATION_RULES,
    watch: context.follow(() => ({
      perUser: env.VIGIL_WATCH_PER_USER,
      maxStreamSeconds: env.VIGIL_WATCH_MAX_SECONDS,
    })),
  };
}

function dashboardOf(context: Context): DashboardParts {
  const { env } = context;
  return {
    dashboardFolder: fileURLToPath(new URL('../../dashboard', import.meta.url)),
    sessionIdleSeconds: env.VIGIL_SESSION_IDLE_SECONDS,
    webSso: webSsoOf(env.VIGIL_WEBSSO, env.VIGIL_WEBSSO_KEYSTONE_URL ?? keystoneUrl(context)),
    cronTimeZone: env.VIGIL_CRON_TIME_ZONE,
    links: context.follow(() => ({
      grafanaHost: env.VIGIL_GRAFANA_HOST_URL ?? null,
      grafanaInstance: env.VIGIL_GRAFANA_INSTANCE_URL ?? null,
      horizon: env.VIGIL_HORIZON_URL ?? null,
    })),
  };
}

/** The identity service that validates tokens, and its URL. Null when authentication is off. */
async function startIdentity({ env, logger, clock, teardown, readiness }: Context): Promise<{
  identity: IdentityPort | null;
  cloud: OpenStackConfig | null;
  ports: Cloud | null;
}> {
  if (env.VIGIL_AUTH === 'none') {
    requireLoopback(env);
    logger.warn({ host: env.VIGIL_HOST }, 'AUTHENTICATION IS OFF: every local user is an administrator');
    return { identity: null, cloud: null, ports: null };
  }
  if (!knowsOfTls(env)) {
    logger.warn(
      { host: env.VIGIL_HOST },
      'clients seem to use plain HTTP; behind a TLS proxy, set VIGIL_PUBLIC_URL (https://…) or VIGIL_TRUSTED_PROXIES',
    );
  }
  const config = openStackConfigFromEnv(process.env);
  const cloud = await teardown.start('cloud', () => createOpenStackCloud(config, { logger, clock }));
  readiness.add('identity', async () => {
    await cloud.identity.token();
  });
  return { identity: cloud.identity, cloud: config, ports: cloud };
}

/** Shared store of dynamic properties in addition to the database. Null when memcached is not configured. */
async function startPropertyCache({ env, logger, clock, metrics, teardown }: Context): Promise<ValueCache | null> {
  const url = env.VIGIL_MEMCACHED_URL;
  if (!url) return null;
  return teardown.start('memcached', () => createMemcachedCache(url, { logger, clock, metrics }));
}

/** Watcher's rules, with those of the policy file if configured. Audits follow a change of the rules. */
async function loadPolicy(context: Context, store: Store): Promise<Policy> {
  const { logger } = context;
  const { VIGIL_POLICY_FILE: file, VIGIL_POLICY_FILE_REQUIRED: isRequired } = context.env;
  const filePolicy = file ? await loadPolicyFile(file, logger, { isRequired }) : null;
  const policy = filePolicy ?? createPolicy();
  let isDue = true;
  async function run(): Promise<void> {
    if (await filePolicy?.refresh()) isDue = true;
    if (!isDue) return;
    await recheckAutoTrigger({ store, policy, logger });
    isDue = false;
  }
  runPeriodically(context, { name: 'policy', everyMs: policyCheckMs, run });
  return policy;
}

/** Sends the outbox messages of this and other processes' transactions. */
function startRelay(context: Context, store: Store, bus: MessageBus): void {
  const { metrics, readiness } = context;
  const sent = metrics.counter('vigil_outbox_messages_total', 'Attempts to send outbox messages', ['result']);
  startOutboxRelay(context, {
    store,
    bus,
    metrics: {
      published: (count) => sent.inc({ result: 'published' }, count),
      failed: (count) => sent.inc({ result: 'failed' }, count),
    },
  });
  measureOutbox(context, store);
  readiness.add('outbox', async () => {
    const { count, oldestSeconds } = await store.outboxQueue.backlog();
    if (oldestSeconds <= maxOutboxAgeSeconds) return;
    throw new Error(`${count} messages wait, the oldest for ${Math.round(oldestSeconds)} s: the bus accepts none`);
  });
}

function measureOutbox(context: Context, store: Store): void {
  const { metrics } = context;
  const count = metrics.gauge('vigil_outbox_waiting_messages', 'Messages that wait in the outbox');
  const age = metrics.gauge('vigil_outbox_oldest_seconds', 'Age of the oldest message in the outbox');
  runPeriodically(context, {
    name: 'outbox measurement',
    everyMs: outboxMeasureMs,
    run: async () => {
      const backlog = await store.outboxQueue.backlog();
      count.set(backlog.count);
      age.set(backlog.oldestSeconds);
    },
  });
}

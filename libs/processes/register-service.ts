import { type JsonObject, messageOf, StateConflictError } from '#libs/domain';
import { type MessageBus, type ServiceResponse, serveRpc, serviceTopic } from '#libs/messaging';
import { type Periodic, readBuildVersion, type ServiceEnd, startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { configurationHash, configurationSchema, shownConfiguration } from './configuration.ts';
import { createDiagnostics, type Diagnostics } from './diagnostics.ts';
import { createMembership } from './membership.ts';
import { linkCollector, linkPart } from './part-links.ts';
import type { ProcessIdentity, RegisteredContext } from './registered-context.ts';
import { createNameCheck, takeName } from './service-name.ts';
import { type ServicePartName, type ServiceTypeName, serviceTypes } from './service-types.ts';

/** Time between two heartbeats in milliseconds, and the lease that each renews. */
const heartbeatMs = 10_000;
const leaseMs = 30_000;

/** A process that is in the registry. */
export interface Registration {
  /** Such as `watcher-applier#2`. */
  serviceName: string;
  /** Whether work may be claimed. The store refuses it otherwise. */
  readonly acceptsWork: boolean;
  diagnostics: Diagnostics;
  /** All parts run: serves Check and Status over `bus`, and updates the registry. */
  started(bus: Pick<MessageBus, 'respond' | 'broadcast'>): Promise<void>;
  /** Shows a part that lives in this process as long as it does. */
  runPart(name: ServicePartName): Promise<void>;
  /** Reports that this process runs a collector as one of its parts. Revoked when the process ends. */
  holdCollector(name: string): Promise<void>;
}

export interface RegistrationOptions {
  type: ServiceTypeName;
  store: Store;
  databaseUrl: string;
}

/**
 * Puts this process into the service registry and keeps it there: name lock, row, heartbeat, events of its life, and
 * the responses to Check and Status. Call it after the store is opened, and close it just before the store.
 * @throws OperatorError with exit code 75 when the name is taken on this host and `VIGIL_ALLOW_MULTIPLE` is off
 */
export async function registerService(
  context: RegisteredContext,
  { type, store, databaseUrl }: RegistrationOptions,
): Promise<Registration> {
  const { logger, hostId, instanceId, teardown } = context;
  const lock = await takeName(context, type, store, databaseUrl);
  const serviceName = lock.name.slice(0, lock.name.length - hostId.length - 1);
  const identity: ProcessIdentity = { type, serviceName, host: hostId, instanceId };
  teardown.add('service name', lock.release);
  await enlist(context, store, identity);
  logger.info({ service: serviceName, host: hostId, instance: instanceId }, 'registered');
  const diagnostics = processDiagnostics(context, store, identity);
  context.answers.set('/internal/check', diagnostics.check);
  context.answers.set('/internal/status', diagnostics.status);

  let bus: Pick<MessageBus, 'broadcast'> | null = null;
  const hint = () => {
    // Events are rows. This only saves the coordinator a pause.
    bus?.broadcast('service.event', { service: serviceName, host: hostId }).catch(() => undefined);
  };
  const holdsName = createNameCheck(context, { lock, serviceName, limitMs: leaseMs });
  const membership = createMembership({ ...identity, context, store, leaseMs, holdsName, onReturn: hint });
  const links = { ...identity, context, store };
  const { loops } = context;
  const heartbeat: Periodic = startPeriodic({
    name: 'registry heartbeat',
    everyMs: heartbeatMs,
    logger,
    loops,
    run: () => membership.beat(),
  });
  context.onEnd(async (end) => {
    membership.end();
    await announceEnd(store, instanceId, end);
    hint();
  });
  // By then its work has been released, and the store is still open.
  teardown.add('registration', async () => {
    await heartbeat.stop();
    await leave(store, instanceId);
  });

  return {
    serviceName,
    get acceptsWork() {
      return membership.acceptsWork;
    },
    diagnostics,
    async started(theBus) {
      bus = theBus;
      await teardown.start('registry answers', () =>
        serveRpc(theBus, serviceTopic(instanceId), async ({ op }): Promise<ServiceResponse> => {
          if (op === 'request') heartbeat.wake();
          const result = op === 'check' ? await diagnostics.check() : op === 'status' ? await diagnostics.status() : {};
          return { schema: 'service.answer/1', result: result as unknown as JsonObject };
        }),
      );
      await membership.declareStarted();
      hint();
    },
    runPart: (name) => membership.hold(() => linkPart(links, name)),
    holdCollector: (name) => membership.hold(() => linkCollector(links, name, membership.returns)),
  };
}

/** Inserts the row of the process, and shows its type in the graph. A reload updates the configuration in the row. */
async function enlist(
  { envSchema, env, logger, onReload }: RegisteredContext,
  store: Store,
  { type, serviceName, host, instanceId }: ProcessIdentity,
): Promise<void> {
  const { registry } = store.db;
  const configuration = () => ({
    config: shownConfiguration(envSchema, env),
    configHash: configurationHash(envSchema, env),
  });
  await registry.enlist({
    instanceId,
    serviceType: type,
    serviceName,
    host,
    pid: process.pid,
    version: readBuildVersion(),
    ...configuration(),
    ttlMs: leaseMs,
  });
  onReload(() => {
    registry.reconfigure(instanceId, configuration()).catch((error: unknown) => {
      logger.warn({ error }, 'registry lacks the reloaded configuration');
    });
  });
  await registry.link({
    srcKind: 'Cluster',
    srcId: 'vigil',
    rel: 'supports',
    dstKind: 'ServiceType',
    dstId: type,
    attributes: { title: serviceTypes[type].title, configuration: configurationSchema(envSchema) },
  });
}

function processDiagnostics(
  { readiness, logger, clock, loops, envSchema, env }: RegisteredContext,
  store: Store,
  { type, serviceName, host, instanceId }: ProcessIdentity,
): Diagnostics {
  const { registry } = store.db;
  const version = readBuildVersion();
  const diagnostics = createDiagnostics(
    { readiness, logger, nowMs: () => clock.now() },
    (): JsonObject => ({
      instanceId,
      serviceType: type,
      serviceName,
      host,
      version,
      node: process.version,
      config: shownConfiguration(envSchema, env),
    }),
  );
  diagnostics.describe('loops', async () => loops.list());
  diagnostics.describe('registry', () => registry.findInstance(instanceId));
  diagnostics.describe('work', () => registry.ownedWork(instanceId));
  diagnostics.describe('outbox', () => store.outboxQueue.backlog());
  diagnostics.describe('owns', () => registry.edges({ srcKind: 'ServiceInstance', srcId: instanceId }));
  return diagnostics;
}

async function announceEnd(store: Store, instanceId: string, end: ServiceEnd): Promise<void> {
  const reason = end.error === undefined ? end.reason : `${end.reason}: ${messageOf(end.error)}`;
  const event = end.uncaught ? 'crash' : end.error === undefined ? 'stop' : end.starting ? 'refuse' : 'fail';
  await store.db.registry.transition(instanceId, event, { reason });
}

/** The row of a process with a request to end. A failed process already has its last state. */
async function leave(store: Store, instanceId: string): Promise<void> {
  try {
    await store.db.registry.transition(instanceId, 'stopped');
  } catch (error) {
    if (!(error instanceof StateConflictError)) throw error;
  }
}

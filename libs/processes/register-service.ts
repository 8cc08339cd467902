import { type JsonObject, messageOf, OperatorError, StateConflictError } from '#libs/domain';
import { type MessageBus, type ServiceResponse, serveRpc, serviceTopic } from '#libs/messaging';
import {
  type Periodic,
  readBuildVersion,
  type ServiceContext,
  type ServiceEnd,
  startPeriodic,
} from '#libs/service-kit';
import type { commonEnv, EnvSchema } from '#libs/service-kit/env';
import { lockName, type NameLock, type ServiceInstance, type ServiceRequest, type Store } from '#libs/store';
import { configurationHash, configurationSchema, shownConfiguration } from './configuration.ts';
import { createDiagnostics, type Diagnostics } from './diagnostics.ts';
import { type ServicePartName, type ServiceTypeName, servicePartTypes, serviceTypes } from './service-types.ts';

/** Time between two heartbeats in milliseconds, and the lease that each renews. */
const heartbeatMs = 10_000;
const leaseMs = 30_000;
/** Processes of one kind on one host at most. */
const mostNumbers = 64;
/** Exit code of a process whose name is taken (EX_TEMPFAIL of sysexits), and of one that is to be started again. */
const alreadyRunningExitCode = 75;
const restartExitCode = 10;

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

/** The part of a process's context that registration needs. */
export type RegisteredContext = Pick<
  ServiceContext<EnvSchema>,
  | 'logger'
  | 'readiness'
  | 'clock'
  | 'instanceId'
  | 'hostId'
  | 'teardown'
  | 'fail'
  | 'end'
  | 'onEnd'
  | 'answers'
  | 'envSchema'
  | 'onReload'
  | 'metrics'
  | 'loops'
> & {
  env: Record<string, unknown> & { [Name in keyof typeof commonEnv]: ReturnType<(typeof commonEnv)[Name]['parse']> };
};

/**
 * Puts this process into the service registry and keeps it there: name lock, row, heartbeat, events of its life, and
 * the responses to Check and Status. To be called when the store is open. Its end comes just before the store's.
 * @throws OperatorError with exit code 75 when the name is taken on this host and `VIGIL_ALLOW_MULTIPLE` is off
 */
export async function registerService(
  context: RegisteredContext,
  { type, store, databaseUrl }: RegistrationOptions,
): Promise<Registration> {
  const { logger, hostId, instanceId, teardown, env } = context;
  const lock = await takeName(context, type, store, databaseUrl);
  const serviceName = lock.name.slice(0, lock.name.length - hostId.length - 1);
  const version = readBuildVersion();
  const configuration = () => ({
    config: shownConfiguration(context.envSchema, env),
    configHash: configurationHash(context.envSchema, env),
  });
  teardown.add('service name', lock.release);
  await store.db.registry.enlist({
    instanceId,
    serviceType: type,
    serviceName,
    host: hostId,
    pid: process.pid,
    version,
    ...configuration(),
    ttlMs: leaseMs,
  });
  context.onReload(() => {
    store.db.registry.reconfigure(instanceId, configuration()).catch((error: unknown) => {
      logger.warn({ error }, 'the registry does not show the reloaded configuration');
    });
  });
  await store.db.registry.link({
    srcKind: 'Cluster',
    srcId: 'vigil',
    rel: 'supports',
    dstKind: 'ServiceType',
    dstId: type,
    attributes: { title: serviceTypes[type].title, configuration: configurationSchema(context.envSchema) },
  });
  logger.info({ service: serviceName, host: hostId, instance: instanceId }, 'registered');

  const diagnostics = createDiagnostics(
    { readiness: context.readiness, logger, nowMs: () => context.clock.now() },
    (): JsonObject => ({
      instanceId,
      serviceType: type,
      serviceName,
      host: hostId,
      version,
      node: process.version,
      config: configuration().config,
    }),
  );
  diagnostics.describe('loops', async () => context.loops.list());
  diagnostics.describe('registry', () => store.db.registry.findInstance(instanceId));
  diagnostics.describe('work', () => store.db.registry.ownedWork(instanceId));
  diagnostics.describe('outbox', () => store.outboxQueue.backlog());
  diagnostics.describe('owns', () => store.db.registry.edges({ srcKind: 'ServiceInstance', srcId: instanceId }));
  context.answers.set('/internal/check', diagnostics.check);
  context.answers.set('/internal/status', diagnostics.status);

  let acceptsWork = true;
  let isEnding = false;
  let bus: Pick<MessageBus, 'broadcast'> | null = null;
  const hint = () => {
    // Events are rows. This only saves the coordinator a pause.
    bus?.broadcast('service.event', { service: serviceName, host: hostId }).catch(() => undefined);
  };

  async function obey(request: ServiceRequest): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    logger.info({ request: request.id, kind: request.kind, by: request.requestedBy }, 'end requested');
    context.end(`${request.kind} was requested`, request.kind === 'restart' ? restartExitCode : 0);
  }

  let lockLostAt: number | null = null;

  /** A former connection of ours may hold the lock until the server notices its end. */
  async function holdsName(): Promise<boolean> {
    if (await lock.confirm()) {
      lockLostAt = null;
      return true;
    }
    lockLostAt ??= performance.now();
    if (performance.now() - lockLostAt > leaseMs) {
      context.fail(new OperatorError(alreadyRunning(serviceName, hostId), { exitCode: alreadyRunningExitCode }));
    }
    return false;
  }

  async function beat(): Promise<void> {
    if (!(await holdsName())) return;
    const answered = await store.db.registry.beat(instanceId, leaseMs);
    if (answered === null) return rejoin();
    await store.db.registry.noteLoops(instanceId, loopReports());
    if (answered.acceptsWork !== acceptsWork) {
      acceptsWork = answered.acceptsWork;
      logger[acceptsWork ? 'info' : 'warn'](
        { acceptsWork },
        'the recovery coordinator has decided whether this process may claim work',
      );
    }
    if (answered.request) await obey(answered.request);
  }

  let isRunning = false;

  /** Keeps the row of Watcher's list of services alive, from when all parts run. */
  async function stayListed(): Promise<void> {
    if (isRunning && 'isListed' in serviceTypes[type])
      await store.db.services.beat(serviceTypes[type].serviceName, hostId);
  }

  function loopReports() {
    const now = context.clock.now();
    return context.loops.list().map(({ lastRunAt, ...loop }) => ({ ...loop, ageMs: now - lastRunAt.getTime() }));
  }

  /** Removals from the graph when the process is declared lost. */
  const held: (() => Promise<void>)[] = [];
  let returns = 0;

  async function hold(link: () => Promise<void>): Promise<void> {
    await link();
    held.push(link);
  }

  async function linkPart(name: ServicePartName): Promise<void> {
    const { registry } = store.db;
    const title = servicePartTypes[name === 'outbox-relay' ? name : 'collector'];
    const dst = { dstKind: 'ServiceType', dstId: name } as const;
    // A part is configured by the keys of its process.
    const attributes = { title, part: true, configuration: configurationSchema(context.envSchema) };
    await registry.link({ srcKind: 'Cluster', srcId: 'vigil', rel: 'supports', ...dst, attributes });
    await registry.link({ srcKind: 'ServiceInstance', srcId: instanceId, rel: 'runs', ...dst });
  }

  async function linkCollector(name: string): Promise<void> {
    const { registry } = store.db;
    const owned = { dstKind: 'Collector', dstId: name } as const;
    await registry.link({ srcKind: 'ServiceInstance', srcId: instanceId, rel: 'owns', ...owned });
    await registry.report({
      type: 'service.resource_acquired',
      serviceType: type,
      serviceName,
      host: hostId,
      instanceId,
      doc: { kind: 'Collector', id: name },
      dedupeKey: `acquired:${instanceId}:${name}:${returns}`,
    });
    await linkPart(`collector.${name}`);
  }

  /** The process was declared lost while it was frozen or disconnected, and its name is still free: it continues. */
  async function rejoin(): Promise<void> {
    if (isEnding) return;
    const fields = { instance: instanceId, serviceName };
    try {
      await moveBack();
      for (const again of held) await again();
      logger.info(fields, 'was taken for lost and is back');
      hint();
    } catch (error) {
      if (!(error instanceof StateConflictError)) throw error;
      if (isListedAs(error.currentState)) return;
      logger.warn({ ...fields, error }, 'is no longer in the registry');
    }
  }

  async function moveBack(): Promise<void> {
    const options = { reason: 'it can reach the database again', ttlMs: leaseMs };
    const event = isRunning ? 'return' : 'rejoin';
    await store.db.registry.transition(instanceId, event, options);
    returns += 1;
    // The last part may have started while the row changed.
    if (event === 'rejoin' && isRunning) await store.db.registry.transition(instanceId, 'started');
  }

  /** Moves the row to STARTED, also when the process was declared lost during its start. */
  async function declareStarted(): Promise<void> {
    isRunning = true;
    try {
      await store.db.registry.transition(instanceId, 'started');
    } catch (error) {
      if (!(error instanceof StateConflictError)) throw error;
      if (error.currentState === 'LOST') await beat();
      else if (error.currentState !== 'STARTED') throw error;
    }
  }

  const { loops } = context;
  const heartbeat: Periodic = startPeriodic({
    name: 'registry heartbeat',
    everyMs: heartbeatMs,
    logger,
    loops,
    run: async () => {
      await beat();
      await stayListed();
    },
  });
  context.onEnd(async (end) => {
    isEnding = true;
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
      return acceptsWork;
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
      await declareStarted();
      await stayListed();
      hint();
    },
    runPart: (name) => hold(() => linkPart(name)),
    holdCollector: (name) => hold(() => linkCollector(name)),
  };
}

/** Numbered names where several may run: `watcher-applier@host`, `watcher-applier#2@host`, … */
async function takeName(
  context: RegisteredContext,
  type: ServiceTypeName,
  store: Store,
  databaseUrl: string,
): Promise<NameLock> {
  const { env, hostId, logger, instanceId } = context;
  const { serviceName } = serviceTypes[type];
  const count = env.VIGIL_ALLOW_MULTIPLE ? mostNumbers : 1;
  const names = Array.from({ length: count }, (_, index) =>
    index === 0 ? `${serviceName}@${hostId}` : `${serviceName}#${index + 1}@${hostId}`,
  );
  const lock = await lockName({ url: databaseUrl, logger, applicationName: `vigil-registry-${type}` }, names);
  if (lock !== null) return lock;
  const holder = (await store.db.registry.listInstances({ liveOnly: true })).find(
    (instance) => instance.serviceName === serviceName && instance.host === hostId,
  );
  const reason = alreadyRunning(serviceName, hostId, holder);
  await store.db.registry.report({
    type: 'service.could_not_start',
    serviceType: type,
    serviceName,
    host: hostId,
    instanceId,
    doc: { reason },
  });
  throw new OperatorError(reason, { exitCode: alreadyRunningExitCode });
}

function alreadyRunning(serviceName: string, host: string, holder?: ServiceInstance): string {
  const which = holder ? ` (instance ${holder.instanceId}, pid ${holder.pid})` : '';
  return `could not start: ${serviceName} is already running on ${host}${which}; VIGIL_ALLOW_MULTIPLE=true allows several`;
}

/** Whether a row in this state needs no return. */
function isListedAs(state: string | null): boolean {
  return state === 'STARTING' || state === 'STARTED';
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

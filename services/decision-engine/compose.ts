import { type Gate, startBehindGate, watchForProcess, whileOpen } from '#libs/dependencies';
import { migratingActionTypes, serviceActionTypes } from '#libs/domain';
import { samplesPerKind } from '#libs/durations';
import type { HistoryReader } from '#libs/history';
import { measureHistoryCalls } from '#libs/history';
import { connectDataSources, dataSourceSettings } from '#libs/history/connect';
import { auditTrigger, type MessageBus, outcomeMeasure, requestPlanGain } from '#libs/messaging';
import { openBus } from '#libs/messaging/connect';
import { type Cloud, createOpenStackCloud, measureCloudCalls, openStackConfigFromEnv } from '#libs/openstack';
import { type LoadedPlugins, loadConfiguredPlugins, parseMigrationNetworks } from '#libs/plugin-kit';
import { registerService, reportPluginFaults } from '#libs/processes';
import { createSemaphore, findOtherWriterWithin, runPeriodically, type ServiceContext } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore, type Store, startOutboxRelay } from '#libs/store';
import type { Rests } from './audit-runner/audit-context.ts';
import { startAuditPoller } from './audit-runner/audit-poller.ts';
import { type AuditRunner, createAuditRunner } from './audit-runner/audit-runner.ts';
import { createAuditTriggerHandler } from './audit-runner/audit-trigger-handler.ts';
import { createPlacementQueries } from './audit-runner/placement-queries.ts';
import type { ComputePlanDeps } from './audit-runner/plan-task.ts';
import { startApprovedPlans } from './audit-runner/start-approved-plans.ts';
import { builtInPlugins } from './built-in-plugins.ts';
import { syncCatalogue } from './catalogue-sync/sync-catalogue.ts';
import { weightingOf } from './checks.ts';
import type { decisionEngineEnv } from './env.ts';
import { createEvacuationCheck } from './outcome/evacuation-check.ts';
import { type MeasurementWorker, startMeasurementWorker } from './outcome/measurement-worker.ts';
import { createOutcomeHandler } from './outcome/outcome-handler.ts';
import { serveRequests, serveSearch } from './requests/serve-requests.ts';
import { serveResync } from './requests/serve-resync.ts';
import { type EngineModels, followModels, startModels } from './start-models.ts';
import { createStrategyRunner } from './strategy-runner/strategy-runner.ts';

type Context = ServiceContext<typeof decisionEngineEnv>;

const serviceName = 'watcher-decision-engine';
/** How often returned hosts are checked for remains of their evacuated instances. */
const evacuationCheckMs = 300_000;
/** A model that was read within this time is there, for the pre-check of a strategy. In milliseconds. */
const probedModelMs = 60_000;

/** Builds and starts a decision engine: plugins, store, cloud, history, model, audit runner, consumer and poller. */
export async function composeDecisionEngine(context: Context): Promise<{ url: null }> {
  const { env, logger, metrics, clock, teardown } = context;
  const databaseUrl = requireDatabaseUrl(env);
  const plugins = await loadConfiguredPlugins(env.VIGIL_PLUGINS, builtInPlugins(), {
    strict: env.VIGIL_PLUGINS_STRICT,
    verify: true,
    findOtherWriter: findOtherWriterWithin,
  });
  const cloudConfig = openStackConfigFromEnv(process.env);
  const cloud = await teardown.start('cloud', () =>
    createOpenStackCloud(cloudConfig, { logger, clock, metrics: measureCloudCalls(metrics) }),
  );
  const history = await teardown.start('history', () =>
    connectDataSources(dataSourceSettings({ ...env, VIGIL_DATABASE_URL: databaseUrl }), {
      keystone: cloud.identity,
      logger,
      clock,
      metrics: measureHistoryCalls(metrics),
      plugins: plugins.registry.dataSources(),
      env: process.env,
      ...(plugins.faults.length > 0 ? { absentBecause: 'no plugin brought it, and some could not be loaded' } : {}),
    }),
  );
  const { gate, ...addresses } = await watchForProcess('engine', context, {
    databaseUrl,
    cloud: cloudConfig,
    probeHistory: history.probe,
  });
  await startBehindGate(context, gate, (parts) =>
    startEngine({ ...context, teardown: parts }, { ...addresses, plugins, cloud, history, gate }),
  );
  return { url: null };
}

/** Parts that exist before anything that a decision engine depends on can be used. */
interface Prepared {
  databaseUrl: string;
  plugins: LoadedPlugins;
  cloud: Cloud;
  history: HistoryReader;
  gate: Gate;
  amqpNodes: string[];
}

/** How work is held by this process. */
type Lease = Parameters<typeof startAuditPoller>[0]['lease'];

/** Parts that all workers on audits share. */
interface Shared {
  store: Store;
  bus: MessageBus;
  models: EngineModels;
  plans: ComputePlanDeps;
  runner: AuditRunner;
  worker: MeasurementWorker;
  lease: Lease;
}

async function startEngine(context: Context, prepared: Prepared): Promise<void> {
  const { env, logger, newUuid, teardown, readiness, instanceId, hostId } = context;
  const { databaseUrl, cloud, history, gate, amqpNodes } = prepared;
  const { registry, faults } = prepared.plugins;
  const store = await openStore(context, databaseUrl, 'vigil-decision-engine');
  readiness.add('identity', async () => void (await cloud.identity.token()));
  readiness.add('history', history.probe);
  const registration = await registerService(context, { type: 'watcher-decision-engine', store, databaseUrl });
  await syncCatalogue(
    store,
    { goals: registry.goals(), strategies: registry.strategies(), scoringEngines: registry.scoringEngines() },
    { newUuid, logger, keepMissing: faults.length > 0 },
  );
  const models = await startModels(context, { cloud, history, store, registry });
  const plans = await startPlanning(context, prepared, models, store);
  const lease = { instance: instanceId, host: hostId, ttlMs: env.VIGIL_LEASE_SECONDS * 1000 };
  const runner = createRunner(context, { plans, store, lease, gate });
  // Starts before the optional parts, so that audits of a dead engine wait for no broker.
  await teardown.start('audit poller', () =>
    startAuditPoller({
      store,
      runner,
      lease,
      gate,
      everyMs: () => env.VIGIL_AUDIT_POLL_SECONDS * 1000,
      newUuid,
      cronTimeZone: env.VIGIL_CRON_TIME_ZONE,
      logger,
      loops: context.loops,
    }),
  );
  teardown.add('audits taken over', runner.stop);
  const worker = await teardown.start('measurements', () => startMeasurements(context, { plans, store, gate }));
  const bus = await openBus(context, { databaseUrl, amqpNodes });
  readiness.add('bus', bus.probe, { advisory: true });
  await reportPluginFaults({ ...context, store, serviceName }, faults);
  await store.db.loadedPlugins.report(serviceName, hostId, registry.loaded());
  await followModels({ ...context, store }, models);
  const shared: Shared = { store, bus, models, plans, runner, worker, lease };
  await consume(context, prepared, shared);
  await serveRpcTopics(context, shared, cloud);
  watchApprovals(context, prepared.plugins, shared);
  // Stops before consumer and poller, which may be waiting for one of its workers.
  teardown.add('audit runner', runner.stop);
  startOutboxRelay(context, { store, bus });
  for (const collector of ['compute', 'storage', 'baremetal']) await registration.holdCollector(collector);
  await registration.runPart('outbox-relay');
  await registration.started(bus);
}

/** The threads of strategies, and all else that a plan is made with. */
async function startPlanning(
  context: Context,
  { cloud, plugins: { registry }, history }: Prepared,
  models: EngineModels,
  { actionDurations }: Pick<Store, 'actionDurations'>,
): Promise<ComputePlanDeps> {
  const { env, logger, clock, newUuid, metrics } = context;
  const most = env.VIGIL_PLACEMENT_QUERIES;
  const runner = await context.teardown.start('strategy threads', () =>
    createStrategyRunner({
      threads: env.VIGIL_AUDIT_WORKERS,
      memoryLimitMb: env.VIGIL_STRATEGY_MEMORY_MB,
      logger,
      scoring: registry.scoringSources(),
      actions: registry.actions(),
    }),
  );
  return {
    registry,
    model: models.compute,
    otherModels: models.others,
    placement: most > 0 ? createPlacementQueries({ placement: cloud.placement, clock, metrics }, { most }) : undefined,
    history,
    runner,
    finishedActions: () => actionDurations.finished([...migratingActionTypes, ...serviceActionTypes], samplesPerKind),
    clock,
    newUuid,
    logger,
    options: context.follow(() => planOptions(context)),
  };
}

function createRunner(
  context: Context,
  { plans, store, lease, gate }: { plans: ComputePlanDeps; store: Store; lease: Lease; gate: Gate },
): AuditRunner {
  const { env, metrics, tracer } = context;
  return createAuditRunner(
    context.follow(() => ({
      ...plans,
      store,
      metrics,
      tracer,
      ...rests(context),
      lease,
      workers: env.VIGIL_AUDIT_WORKERS,
      maxAttempts: env.VIGIL_AUDIT_MAX_ATTEMPTS,
      outageMs: env.VIGIL_AUDIT_OUTAGE_SECONDS * 1000,
      cronTimeZone: env.VIGIL_CRON_TIME_ZONE,
      hasOutage: () => gate.report()?.dependencies.some(({ up }) => !up) ?? false,
    })),
  );
}

/** Measures clouds before and after plans. Running measurements end with the process. */
function startMeasurements(
  context: Context,
  { plans, store, gate }: { plans: ComputePlanDeps; store: Store; gate: Gate },
): MeasurementWorker {
  const { tracer, loops } = context;
  const measuring = new AbortController();
  const worker = startMeasurementWorker({ ...plans, store, tracer, gate, loops, signal: measuring.signal });
  return {
    wake: worker.wake,
    stop() {
      measuring.abort(new Error('the decision engine stops'));
      return worker.stop();
    },
  };
}

/** Consumes the messages for an engine: audits to run and outcomes to measure. */
async function consume(context: Context, { gate, cloud }: Prepared, shared: Shared): Promise<void> {
  const { env, logger, clock, teardown, loops } = context;
  const { store, bus, models, runner, worker, lease } = shared;
  const onTrigger = createAuditTriggerHandler({ store, runner, lease, logger });
  await teardown.start('consumer', () =>
    whileOpen(gate, logger, () => bus.consume(auditTrigger.type, onTrigger, { prefetch: env.VIGIL_AUDIT_WORKERS })),
  );
  await teardown.start('outcomes', async () => {
    const onOutcome = createOutcomeHandler({ store, worker });
    return whileOpen(gate, logger, () => bus.consume(outcomeMeasure.type, onOutcome, { prefetch: 4 }));
  });
  runPeriodically(context, {
    name: 'evacuation check',
    everyMs: evacuationCheckMs,
    loops,
    run: createEvacuationCheck({ store, model: models.compute, cloud, clock, logger }),
  });
}

/** Starts approved plans of audits with `auto_trigger`, and voids approvals of changed plans. */
function watchApprovals(context: Context, { registry }: LoadedPlugins, { store, bus }: Pick<Shared, 'store' | 'bus'>) {
  const { env, logger, newUuid, loops } = context;
  runPeriodically(context, {
    name: 'approved plans',
    everyMs: () => env.VIGIL_AUDIT_POLL_SECONDS * 1000,
    loops,
    run: (signal) =>
      startApprovedPlans(
        {
          store,
          requestGain: (planUuid) => requestPlanGain(bus, planUuid),
          urgentRulesOf: (name) =>
            registry.strategies().find(({ manifest }) => manifest.name === name)?.manifest.urgentRules ?? [],
          limits: rests(context),
          automationRules: env.VIGIL_AUTOMATION_RULES,
          newUuid,
          logger,
        },
        signal,
      ),
  });
}

/** Serves the requests of other processes to an engine. */
async function serveRpcTopics(
  context: Context,
  { store, bus, models, plans, runner }: Shared,
  cloud: Cloud,
): Promise<void> {
  const { env, teardown, instanceId } = context;
  const { compute, others } = models;
  const slots = createSemaphore(Math.max(1, Math.floor(env.VIGIL_AUDIT_WORKERS / 2)));
  await teardown.start('requests', () =>
    serveRequests(
      bus,
      context.follow(() => ({
        ...plans,
        store,
        ...rests(context),
        models: {
          compute: () => compute.fresh(probedModelMs),
          storage: () => others.storage.fresh(probedModelMs),
          baremetal: () => others.baremetal.fresh(probedModelMs),
        },
        modelMaxAgeMs: plans.options.modelMaxAgeMs,
        ...{ slots, cloud, novaFilters: env.VIGIL_NOVA_FILTERS },
      })),
    ),
  );
  await teardown.start('resync', () => serveResync(bus, instanceId, { compute, ...others }));
  await teardown.start('search', () => serveSearch(bus, instanceId, runner.searches));
}

/** How often entities are moved, and how long those that could not be moved are left alone. */
function rests({ env }: Context): Rests {
  return {
    coolDownMs: env.VIGIL_MOVE_COOL_DOWN_SECONDS * 1000,
    oppositeRestMs: env.VIGIL_OPPOSITE_MOVE_REST_SECONDS * 1000,
    instanceMovesPerDay: env.VIGIL_INSTANCE_MOVES_PER_DAY,
    hostMovesPerHour: env.VIGIL_HOST_MOVES_PER_HOUR,
    cloudMovesPerHour: env.VIGIL_CLOUD_MOVES_PER_HOUR,
    backOffMs: env.VIGIL_FAILED_MOVE_BACK_OFF_SECONDS * 1000,
    refusalRestMs: env.VIGIL_REFUSED_MOVE_REST_SECONDS * 1000,
  };
}

/** How plans are made. */
function planOptions({ env }: Context): ComputePlanDeps['options'] {
  return {
    modelMaxAgeMs: env.VIGIL_MODEL_MAX_AGE_SECONDS * 1000,
    strategyTimeLimitMs: env.VIGIL_STRATEGY_TIMEOUT_SECONDS * 1000,
    migrationBudget: env.VIGIL_PLAN_MIGRATION_BUDGET,
    failureReserve: env.VIGIL_FAILURE_RESERVE,
    predictSeconds: env.VIGIL_PREDICT_SECONDS,
    oppositeAudits: env.VIGIL_OPPOSITE_AUDITS,
    approvalRules: env.VIGIL_APPROVAL_RULES,
    automationRules: env.VIGIL_AUTOMATION_RULES,
    maxActionsPerPlan: env.VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN,
    limits: {
      parallelMigrations: env.VIGIL_PLAN_PARALLEL_MIGRATIONS,
      parallelPerSourceHost: env.VIGIL_PLAN_PARALLEL_PER_SOURCE_HOST,
      parallelPerDestinationHost: env.VIGIL_PLAN_PARALLEL_PER_DESTINATION_HOST,
      parallelPerNetwork: env.VIGIL_PARALLEL_PER_NETWORK,
      networks: parseMigrationNetworks('VIGIL_MIGRATION_NETWORKS', env.VIGIL_MIGRATION_NETWORKS),
      parallelPerAggregate: env.VIGIL_PARALLEL_PER_AGGREGATE || undefined,
      weighting: weightingOf(env),
    },
  };
}

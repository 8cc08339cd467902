import { type Gate, startBehindGate, watchForProcess, whileOpen } from '#libs/dependencies';
import type { HistoryReader } from '#libs/history';
import { measureHistoryCalls } from '#libs/history';
import { connectDataSources, dataSourceSettings } from '#libs/history/connect';
import { auditTrigger, outcomeMeasure } from '#libs/messaging';
import { openBus } from '#libs/messaging/connect';
import { type Cloud, createOpenStackCloud, measureCloudCalls, openStackConfigFromEnv } from '#libs/openstack';
import { type LoadedPlugins, loadConfiguredPlugins, parseMigrationNetworks } from '#libs/plugin-kit';
import { registerService, reportPluginFaults } from '#libs/processes';
import { createSemaphore, findOtherWriterWithin, type ServiceContext, startPeriodic } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { createOutboxRelay, openStore } from '#libs/store';
import { startAuditPoller } from './audit-runner/audit-poller.ts';
import { createAuditRunner } from './audit-runner/audit-runner.ts';
import { createAuditTriggerHandler } from './audit-runner/audit-trigger-handler.ts';
import type { ComputePlanDeps } from './audit-runner/compute-plan.ts';
import { builtInPlugins } from './built-in-plugins.ts';
import { syncCatalogue } from './catalogue-sync/sync-catalogue.ts';
import { weightingOf } from './checks.ts';
import { hostsByCell, parseCells } from './collectors/cells.ts';
import { collectComputeModel } from './collectors/compute-collector.ts';
import { type ForeignCollectors, foreignCollectors } from './collectors/foreign-collectors.ts';
import type { decisionEngineEnv } from './env.ts';
import { createModelKeeper, type ModelKeeper } from './model/model-keeper.ts';
import { createOtherModels, type OtherModels } from './model/other-models.ts';
import { createModelPublisher } from './model/publish-models.ts';
import { createEventApplier } from './notifications/event-applier.ts';
import { followNotifications } from './notifications/follow-notifications.ts';
import { createStorageEventApplier } from './notifications/storage-event-applier.ts';
import { createEvacuationCheck } from './outcome/evacuation-check.ts';
import { createOutcomeHandler } from './outcome/outcome-handler.ts';
import { answerQuestions, answerSearch } from './questions/answer-questions.ts';
import { answerResync } from './questions/answer-resync.ts';
import { createStrategyRunner } from './strategy-runner/strategy-runner.ts';

type Context = ServiceContext<typeof decisionEngineEnv>;

const serviceName = 'watcher-decision-engine';
const heartbeatMs = 10_000;
/** How often new pictures of the cloud are told to those who follow it. */
const modelSummaryMs = 5_000;
/** How often hosts that are back are looked at for what was evacuated from them. */
const evacuationCheckMs = 300_000;
/** A model that was read within this time is there, for the pre-check of a strategy; in milliseconds. */
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
  const cloud = createOpenStackCloud(cloudConfig, { logger, clock, metrics: measureCloudCalls(metrics) });
  teardown.add('cloud', cloud.close);
  const history = connectDataSources(dataSourceSettings({ ...env, VIGIL_DATABASE_URL: databaseUrl }), {
    keystone: cloud.identity,
    logger,
    clock,
    metrics: measureHistoryCalls(metrics),
    plugins: plugins.registry.dataSources(),
    env: process.env,
    ...(plugins.faults.length > 0 ? { absentBecause: 'no plugin brought it, and some could not be loaded' } : {}),
  });
  teardown.add('history', history.close);
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

/** What is known before anything that a decision engine depends on can be used. */
interface Prepared {
  databaseUrl: string;
  plugins: LoadedPlugins;
  cloud: Cloud;
  history: HistoryReader;
  gate: Gate;
  amqpNodes: string[];
}

async function startEngine(context: Context, prepared: Prepared): Promise<void> {
  const { env, logger, metrics, clock, newUuid, teardown, readiness, instanceId, hostId } = context;
  const { databaseUrl, cloud, history, gate, amqpNodes } = prepared;
  const { registry, faults } = prepared.plugins;
  const store = await openStore(context, databaseUrl, 'vigil-decision-engine');
  readiness.add('identity', async () => void (await cloud.identity.token()));
  readiness.add('history', history.probe);
  const registration = await registerService(context, { type: 'watcher-decision-engine', store, databaseUrl });
  const bus = await openBus(context, { databaseUrl, amqpNodes });
  readiness.add('bus', bus.probe, { advisory: true });

  await syncCatalogue(
    store,
    { goals: registry.goals(), strategies: registry.strategies(), scoringEngines: registry.scoringEngines() },
    { newUuid, logger, keepMissing: faults.length > 0 },
  );
  await reportPluginFaults({ ...context, store, serviceName }, faults);
  await store.db.loadedPlugins.report(serviceName, hostId, registry.loaded());

  const cellOf = parseCells(env.VIGIL_NOVA_CELLS);
  const concurrency = env.VIGIL_COLLECTOR_CONCURRENCY;
  const foreign = foreignCollectors(registry, { clock, logger, env: process.env });
  const model = createModelKeeper({
    collect: (signal) =>
      collectComputeModel(cloud, {
        clock,
        signal,
        concurrency,
        cellOf,
        hostBoundPools: env.VIGIL_HOST_BOUND_POOLS,
        mixedCpuModels: env.VIGIL_MIXED_CPU_MODELS,
        collector: foreign.compute,
      }),
    sizes: ({ hostInfo, instanceInfo }) => ({
      hosts: hostInfo.length,
      instances: instanceInfo.length,
      ...hostsByCell(hostInfo, cellOf),
    }),
    followedMaxAgeMs: env.VIGIL_MODEL_FOLLOWED_MAX_AGE_SECONDS * 1000,
    clock,
    logger,
    metrics,
  });
  teardown.add('model', model.stop);
  startModelRefresh(model, context);
  const otherModels = createOtherModels({
    cloud,
    collectors: foreign,
    followedMaxAgeMs: env.VIGIL_MODEL_FOLLOWED_MAX_AGE_SECONDS * 1000,
    clock,
    logger,
    metrics,
  });
  teardown.add('other models', otherModels.stop);
  const telling = startPeriodic({
    name: 'model summaries',
    everyMs: modelSummaryMs,
    logger,
    run: createModelPublisher({
      store,
      history,
      clock,
      logger,
      host: hostId,
      models: { compute: model, ...otherModels },
    }),
  });
  teardown.add('model summaries', telling.stop);
  await startFollowing({ compute: model, storage: otherModels.storage }, foreign, context);
  const strategyRunner = createStrategyRunner({
    threads: env.VIGIL_AUDIT_WORKERS,
    memoryLimitMb: env.VIGIL_STRATEGY_MEMORY_MB,
    logger,
    scoring: registry.scoringSources(),
  });
  teardown.add('strategy threads', strategyRunner.close);

  const planDeps: ComputePlanDeps = {
    registry,
    model,
    otherModels,
    history,
    runner: strategyRunner,
    clock,
    newUuid,
    logger,
    options: {
      modelMaxAgeMs: env.VIGIL_MODEL_MAX_AGE_SECONDS * 1000,
      strategyTimeLimitMs: env.VIGIL_STRATEGY_TIMEOUT_SECONDS * 1000,
      migrationBudget: env.VIGIL_PLAN_MIGRATION_BUDGET,
      predictSeconds: env.VIGIL_PREDICT_SECONDS,
      limits: {
        parallelMigrations: env.VIGIL_PLAN_PARALLEL_MIGRATIONS,
        parallelPerSourceHost: env.VIGIL_PLAN_PARALLEL_PER_SOURCE_HOST,
        parallelPerDestinationHost: env.VIGIL_PLAN_PARALLEL_PER_DESTINATION_HOST,
        parallelPerNetwork: env.VIGIL_PARALLEL_PER_NETWORK,
        networks: parseMigrationNetworks('VIGIL_MIGRATION_NETWORKS', env.VIGIL_MIGRATION_NETWORKS),
        parallelPerAggregate: env.VIGIL_PARALLEL_PER_AGGREGATE || undefined,
        weighting: weightingOf(env),
      },
    },
  };
  const rests = {
    coolDownMs: env.VIGIL_MOVE_COOL_DOWN_SECONDS * 1000,
    backOffMs: env.VIGIL_FAILED_MOVE_BACK_OFF_SECONDS * 1000,
  };
  const lease = { instance: instanceId, host: hostId, ttlMs: env.VIGIL_LEASE_SECONDS * 1000 };
  const runner = createAuditRunner({
    ...planDeps,
    store,
    metrics,
    tracer: context.tracer,
    ...rests,
    lease,
    workers: env.VIGIL_AUDIT_WORKERS,
    maxAttempts: env.VIGIL_AUDIT_MAX_ATTEMPTS,
    outageMs: env.VIGIL_AUDIT_OUTAGE_SECONDS * 1000,
    cronTimeZone: env.VIGIL_CRON_TIME_ZONE,
    isSomethingAway: () => gate.report()?.dependencies.some(({ up }) => !up) ?? false,
  });
  const { loops } = context;
  const pollMs = env.VIGIL_AUDIT_POLL_SECONDS * 1000;
  const poller = startAuditPoller({
    store,
    runner,
    lease,
    gate,
    everyMs: pollMs,
    cronTimeZone: env.VIGIL_CRON_TIME_ZONE,
    logger,
    loops,
  });
  teardown.add('audit poller', poller.stop);
  const onTrigger = createAuditTriggerHandler({ store, runner, lease, logger });
  const consumer = await whileOpen(gate, logger, () =>
    bus.consume(auditTrigger.type, onTrigger, { prefetch: env.VIGIL_AUDIT_WORKERS }),
  );
  teardown.add('consumer', consumer.stop);
  const measuring = new AbortController();
  const onOutcome = createOutcomeHandler({ ...planDeps, store, tracer: context.tracer, signal: measuring.signal });
  const outcomes = await whileOpen(gate, logger, () => bus.consume(outcomeMeasure.type, onOutcome, { prefetch: 1 }));
  teardown.add('outcomes', async () => {
    measuring.abort(new Error('the decision engine stops'));
    await outcomes.stop();
  });
  const evacuations = startPeriodic({
    name: 'evacuation check',
    everyMs: evacuationCheckMs,
    logger,
    loops,
    run: createEvacuationCheck({ store, model, cloud, clock, logger }),
  });
  teardown.add('evacuation check', evacuations.stop);
  const questions = await answerQuestions(bus, {
    ...planDeps,
    store,
    ...rests,
    models: {
      compute: () => model.fresh(probedModelMs),
      storage: () => otherModels.storage.fresh(probedModelMs),
      baremetal: () => otherModels.baremetal.fresh(probedModelMs),
    },
    modelMaxAgeMs: planDeps.options.modelMaxAgeMs,
    slots: createSemaphore(Math.max(1, Math.floor(env.VIGIL_AUDIT_WORKERS / 2))),
  });
  teardown.add('questions', questions.stop);
  const resync = await answerResync(bus, context.instanceId, { compute: model, ...otherModels });
  teardown.add('resync', resync.stop);
  const search = await answerSearch(bus, context.instanceId, runner.searches);
  teardown.add('search', search.stop);
  // Stops before consumer and poller, which may be waiting for one of its workers.
  teardown.add('audit runner', runner.stop);
  const relay = createOutboxRelay({
    outboxQueue: store.outboxQueue,
    bus,
    logger,
    clock,
    loops,
    tracer: context.tracer,
  });
  relay.start();
  teardown.add('outbox relay', relay.stop);
  const heartbeat = startPeriodic({
    name: 'heartbeat',
    everyMs: heartbeatMs,
    logger,
    loops,
    run: () => store.db.services.beat(serviceName, hostId),
  });
  teardown.add('heartbeat', heartbeat.stop);
  for (const collector of ['compute', 'storage', 'baremetal']) await registration.holdCollector(collector);
  await registration.runPart('outbox-relay');
  await registration.started(bus);
}

/**
 * Keeps the models in step with the notifications of Nova and Cinder, where there are brokers that have them. Notifications
 * know nothing of what a plugin adds to a model, so such a one is collected instead.
 */
async function startFollowing(
  models: { compute: ModelKeeper; storage: OtherModels['storage'] },
  foreign: ForeignCollectors,
  { env, logger, metrics, instanceId, teardown }: Context,
): Promise<void> {
  const common = { logger, metrics };
  const { VIGIL_NOVA_NOTIFICATIONS_URL: novaUrls, VIGIL_CINDER_NOTIFICATIONS_URL: cinderUrls } = env;
  if (novaUrls.length > 0 && !foreign.compute) {
    const nova = await followNotifications(
      {
        ...common,
        name: 'compute',
        model: models.compute,
        createApplier: (onResult) => createEventApplier({ logger, onResult }),
      },
      { urls: novaUrls, topics: env.VIGIL_NOVA_NOTIFICATION_TOPICS, appId: instanceId },
    );
    teardown.add('notifications of Nova', nova.stop);
  }
  if (cinderUrls.length > 0 && !foreign.storage) {
    const cinder = await followNotifications(
      {
        ...common,
        name: 'storage',
        model: models.storage,
        createApplier: (onResult) => createStorageEventApplier({ logger, onResult }),
      },
      { urls: cinderUrls, topics: env.VIGIL_CINDER_NOTIFICATION_TOPICS, appId: instanceId },
    );
    teardown.add('notifications of Cinder', cinder.stop);
  }
}

/** Collects the model at the start and then from time to time, so that an audit seldom has to wait for it. */
function startModelRefresh(model: ModelKeeper, { env, logger, teardown, loops }: Context): void {
  const periodic = startPeriodic({
    name: 'model refresh',
    everyMs: env.VIGIL_MODEL_PERIOD_SECONDS * 1000,
    logger,
    loops,
    run: async () => void (await model.fresh(env.VIGIL_MODEL_MAX_AGE_SECONDS * 1000)),
  });
  teardown.add('model refresh', periodic.stop);
}

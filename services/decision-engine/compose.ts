import { OperatorError } from '#libs/domain';
import { createHistory } from '#libs/history/connect';
import { auditTrigger } from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { createOpenStackCloud, measureCloudCalls, openStackConfigFromEnv } from '#libs/openstack';
import { type ServiceContext, startPeriodic } from '#libs/service-kit';
import { createOutboxRelay, createStore } from '#libs/store';
import { startAuditPoller } from './audit-runner/audit-poller.ts';
import { createAuditRunner } from './audit-runner/audit-runner.ts';
import { createAuditTriggerHandler } from './audit-runner/audit-trigger-handler.ts';
import { syncCatalogue } from './catalogue-sync/sync-catalogue.ts';
import { collectComputeModel } from './collectors/compute-collector.ts';
import type { decisionEngineEnv } from './env.ts';
import { loadRegistry } from './load-registry.ts';
import { createModelKeeper, type ModelKeeper } from './model/model-keeper.ts';
import { createStrategyRunner } from './strategy-runner/strategy-runner.ts';

type Context = ServiceContext<typeof decisionEngineEnv>;

const serviceName = 'watcher-decision-engine';
const heartbeatMs = 10_000;

/** Builds and starts a decision engine: plugins, store, cloud, history, model, audit runner, consumer and poller. */
export async function composeDecisionEngine(context: Context): Promise<{ url: null }> {
  const { env, logger, metrics, clock, newUuid, teardown, readiness, instanceId, hostId } = context;
  const databaseUrl = env.VIGIL_DATABASE_URL;
  if (!databaseUrl)
    throw new OperatorError('VIGIL_DATABASE_URL is not set; `vigil up` starts everything with an embedded database', {
      exitCode: 2,
    });
  const registry = await loadRegistry(env.VIGIL_PLUGINS);

  const store = await createStore({ url: databaseUrl, logger, applicationName: 'vigil-decision-engine' });
  teardown.add('store', store.close);
  readiness.add('store', store.probe);
  const cloud = createOpenStackCloud(openStackConfigFromEnv(process.env), {
    logger,
    clock,
    metrics: measureCloudCalls(metrics),
  });
  teardown.add('cloud', cloud.close);
  readiness.add('identity', async () => void (await cloud.identity.token()));
  const history = createHistory({
    influxUrl: env.VIGIL_INFLUX_URL,
    influxToken: env.VIGIL_INFLUX_TOKEN,
    databaseUrl,
    logger,
    clock,
  });
  teardown.add('history', history.close);
  readiness.add('history', history.probe);
  const bus = await createMessageBus({
    amqpUrl: env.VIGIL_AMQP_URL,
    databaseUrl,
    logger,
    prefix: env.VIGIL_AMQP_PREFIX,
    appId: instanceId,
    metrics,
  });
  teardown.add('bus', bus.close);
  readiness.add('bus', bus.probe);

  await syncCatalogue(store, { goals: registry.goals(), strategies: registry.strategies() }, { newUuid, logger });

  const model = createModelKeeper({
    collect: (signal) => collectComputeModel(cloud, { clock, signal, concurrency: env.VIGIL_COLLECTOR_CONCURRENCY }),
    clock,
    logger,
    metrics,
  });
  teardown.add('model', model.stop);
  startModelRefresh(model, context);
  const strategyRunner = createStrategyRunner({ threads: env.VIGIL_AUDIT_WORKERS, logger });
  teardown.add('strategy threads', strategyRunner.close);

  const lease = { instance: instanceId, host: hostId, ttlMs: env.VIGIL_LEASE_SECONDS * 1000 };
  const runner = createAuditRunner({
    store,
    registry,
    model,
    history,
    runner: strategyRunner,
    clock,
    newUuid,
    logger,
    metrics,
    lease,
    workers: env.VIGIL_AUDIT_WORKERS,
    maxAttempts: env.VIGIL_AUDIT_MAX_ATTEMPTS,
    options: {
      modelMaxAgeMs: env.VIGIL_MODEL_MAX_AGE_SECONDS * 1000,
      strategyTimeLimitMs: env.VIGIL_STRATEGY_TIMEOUT_SECONDS * 1000,
      limits: {
        parallelMigrations: env.VIGIL_PLAN_PARALLEL_MIGRATIONS,
        parallelPerSourceHost: env.VIGIL_PLAN_PARALLEL_PER_SOURCE_HOST,
        parallelPerDestinationHost: env.VIGIL_PLAN_PARALLEL_PER_DESTINATION_HOST,
      },
    },
  });
  const poller = startAuditPoller({ store, runner, lease, everyMs: env.VIGIL_AUDIT_POLL_SECONDS * 1000, logger });
  teardown.add('audit poller', poller.stop);
  const consumer = await bus.consume(auditTrigger.type, createAuditTriggerHandler({ store, runner, lease, logger }), {
    prefetch: env.VIGIL_AUDIT_WORKERS,
  });
  teardown.add('consumer', consumer.stop);
  // Stops before consumer and poller, which may be waiting for one of its workers.
  teardown.add('audit runner', runner.stop);
  const relay = createOutboxRelay({ outboxQueue: store.outboxQueue, bus, logger, clock });
  relay.start();
  teardown.add('outbox relay', relay.stop);
  const heartbeat = startPeriodic({
    name: 'heartbeat',
    everyMs: heartbeatMs,
    logger,
    run: () => store.db.services.beat(serviceName, hostId),
  });
  teardown.add('heartbeat', heartbeat.stop);
  return { url: null };
}

/** Collects the model at the start and then from time to time, so that an audit seldom has to wait for it. */
function startModelRefresh(model: ModelKeeper, { env, logger, teardown }: Context): void {
  const periodic = startPeriodic({
    name: 'model refresh',
    everyMs: env.VIGIL_MODEL_PERIOD_SECONDS * 1000,
    logger,
    run: async () => void (await model.fresh(env.VIGIL_MODEL_MAX_AGE_SECONDS * 1000)),
  });
  teardown.add('model refresh', periodic.stop);
}

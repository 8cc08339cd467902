import { type Gate, startBehindGate, watchForProcess, whileOpen } from '#libs/dependencies';
import { type MessageBus, planLaunch, requestPlanGain } from '#libs/messaging';
import { openBus } from '#libs/messaging/connect';
import { createOpenStackCloud, measureCloudCalls, openStackConfigFromEnv } from '#libs/openstack';
import { parseMigrationNetworks } from '#libs/plugin-kit';
import { registerService, reportPluginFaults } from '#libs/processes';
import { type ServiceContext, steadyClock } from '#libs/service-kit';
import { requireDatabaseUrl } from '#libs/service-kit/env';
import { openStore } from '#libs/store';
import { startPlanAuthority } from './authority/start-plan-authority.ts';
import { parseExecutionRules } from './checks.ts';
import type { applierEnv } from './env.ts';
import { createPlanLaunchHandler } from './handlers/plan-launch.ts';
import { createPlanResumeHandler } from './handlers/plan-resume.ts';
import { loadActions } from './load-actions.ts';
import { createApplierMetrics } from './metrics.ts';
import { startNotifications } from './notifications.ts';
import { createOccupancy } from './plan-runner/limits/occupancy.ts';
import { createPlanRunner } from './plan-runner/plan-runner.ts';
import { noRace } from './plan-runner/runner-deps.ts';
import { type RunnerOptions, runnerDefaults } from './plan-runner/runner-options.ts';
import { startRecoveryPoller } from './recovery/recovery-poller.ts';

type Context = ServiceContext<typeof applierEnv>;

const serviceName = 'watcher-applier';
/** Longest time that a request may be in transit, even after the death of its sender. */
const lateEffectLeases = 4;

/** Builds and starts an applier: store, cloud, bus, plan runner, consumer and recovery poller. */
export async function composeApplier(context: Context): Promise<{ url: null }> {
  const { env } = context;
  const databaseUrl = requireDatabaseUrl(env);
  const plugins = await loadActions(env.VIGIL_PLUGINS, { strict: env.VIGIL_PLUGINS_STRICT });
  const cloud = openStackConfigFromEnv(process.env);
  const { gate, ...addresses } = await watchForProcess('applier', context, { databaseUrl, cloud });
  await startBehindGate(context, gate, (teardown) =>
    startApplier({ ...context, teardown }, { ...addresses, plugins, gate }),
  );
  return { url: null };
}

/** Parts that start before the dependencies of the applier are available. */
interface Prepared {
  databaseUrl: string;
  plugins: Awaited<ReturnType<typeof loadActions>>;
  gate: Gate;
  amqpNodes: string[];
}

async function startApplier(context: Context, prepared: Prepared): Promise<void> {
  const { env, logger, clock, newUuid, teardown, readiness, hostId } = context;
  const { databaseUrl, gate, amqpNodes } = prepared;
  const { actions, loaded, faults } = prepared.plugins;
  const options = context.follow(() => runnerOptions(context));
  const store = await openStore(context, databaseUrl, 'vigil-applier');
  const registration = await registerService(context, { type: 'watcher-applier', store, databaseUrl });
  const cloudCalls = measureCloudCalls(context.metrics);
  const cloud = await teardown.start('cloud', () =>
    createOpenStackCloud(openStackConfigFromEnv(process.env), {
      logger,
      clock,
      metrics: cloudCalls,
    }),
  );
  readiness.add('identity', async () => void (await cloud.identity.token()));
  let bus: MessageBus | null = null;
  const metrics = createApplierMetrics(context.metrics);
  const planAuthority = await startPlanAuthority(context, { store, metrics, cloudCalls });
  const runner = createPlanRunner(
    {
      store,
      cloud,
      planAuthority,
      actions,
      gate,
      occupancy: createOccupancy(() => options.limits),
      steadyClock,
      newUuid,
      logger,
      metrics,
      racePoint: noRace,
      requestGain: (planUuid) => requestPlanGain(bus, planUuid),
      tracer: context.tracer,
      onProgress(actionUuid, fraction) {
        // A progress hint for watchers. Watchers that miss it read the state.
        bus?.broadcast('action.progress', { action_uuid: actionUuid, fraction }).catch(() => undefined);
      },
    },
    options,
  );
  const { loops } = context;
  const pollMs = () => env.VIGIL_APPLIER_POLL_SECONDS * 1000;
  // Starts before the optional parts, so plans of a dead applier do not wait for a broker.
  const poller = startRecoveryPoller({ store, runner, everyMs: pollMs, logger, loops });
  teardown.add('plans taken over', runner.drain, options.drainMs + 5000);
  teardown.add('recovery poller', poller.stop);
  teardown.add(
    'wake at the open gate',
    gate.onChange((isOpen) => isOpen && poller.wake()),
  );
  bus = await openBus(context, { databaseUrl, amqpNodes });
  readiness.add('bus', bus.probe, { advisory: true });

  await store.db.actionDescriptions.replaceAll(
    actions.list().map(({ name, description, revertible }) => ({ actionType: name, description, revertible })),
  );
  await reportPluginFaults({ ...context, store, serviceName }, faults);
  await store.db.loadedPlugins.report(serviceName, hostId, loaded);
  const handler = createPlanLaunchHandler({ store, runner, logger });
  await teardown.start('consumer', () =>
    whileOpen(gate, logger, () => bus.consume(planLaunch.type, handler, { prefetch: env.VIGIL_APPLIER_WORKERS })),
  );
  for (const topic of ['plan.cancel', 'plan.pause']) {
    await teardown.start(`${topic} hints`, () => bus.subscribe(topic, (body) => runner.hint(String(body.plan_uuid))));
  }
  await teardown.start('plan.resume hints', () =>
    bus.subscribe('plan.resume', createPlanResumeHandler({ store, runner, logger })),
  );
  await startNotifications(context, store, amqpNodes);
  // Stops before consumer and poller, which may wait for one of its workers.
  teardown.add('plan runner', runner.drain, options.drainMs + 5000);
  await registration.started(bus);
}

function runnerOptions({ env, instanceId, hostId }: Context): RunnerOptions {
  const leaseTtlMs = env.VIGIL_APPLIER_LEASE_SECONDS * 1000;
  return {
    ...runnerDefaults,
    instance: instanceId,
    host: hostId,
    workers: env.VIGIL_APPLIER_WORKERS,
    maxActionsPerPlan: env.VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN,
    limits: {
      source: env.VIGIL_PLAN_PARALLEL_PER_SOURCE_HOST,
      destination: env.VIGIL_PLAN_PARALLEL_PER_DESTINATION_HOST,
      resource: 1,
      network: env.VIGIL_PARALLEL_PER_NETWORK,
      ...(env.VIGIL_PARALLEL_PER_AGGREGATE === 0 ? {} : { aggregate: env.VIGIL_PARALLEL_PER_AGGREGATE }),
      all: env.VIGIL_PARALLEL_ACTIONS,
    },
    networks: parseMigrationNetworks('VIGIL_MIGRATION_NETWORKS', env.VIGIL_MIGRATION_NETWORKS),
    failureShare: env.VIGIL_APPLIER_FAILURE_SHARE,
    failureMinimum: env.VIGIL_APPLIER_FAILURE_MINIMUM,
    beforeLimitMs: env.VIGIL_OUTCOME_BEFORE_SECONDS * 1000,
    outcomeDelayMs: env.VIGIL_OUTCOME_DELAY_SECONDS * 1000,
    leaseTtlMs,
    guardMarginMs: leaseTtlMs / 3,
    planTimeoutMs: env.VIGIL_APPLIER_PLAN_TIMEOUT_HOURS * 3_600_000,
    maxTakeovers: env.VIGIL_APPLIER_MAX_TAKEOVERS,
    onCrash: env.VIGIL_APPLIER_ON_CRASH,
    drainMs: env.VIGIL_APPLIER_DRAIN_SECONDS * 1000,
    executionRules: parseExecutionRules(env.VIGIL_APPLIER_EXECUTION_RULES),
    timeScale: env.VIGIL_APPLIER_TIME_SCALE,
    action: {
      pollIntervalMs: env.VIGIL_MIGRATION_POLL_SECONDS * 1000,
      migrationTimeoutMs: env.VIGIL_MIGRATION_TIMEOUT_SECONDS * 1000,
      deleteTimeoutMs: env.VIGIL_DELETE_TIMEOUT_SECONDS * 1000,
      shelveTimeoutMs: env.VIGIL_SHELVE_TIMEOUT_SECONDS * 1000,
      volumeMigrationTimeoutMs: env.VIGIL_VOLUME_MIGRATION_TIMEOUT_SECONDS * 1000,
      lateEffectMs: lateEffectLeases * leaseTtlMs,
      powerOffIgnoresShutoff: env.VIGIL_POWER_OFF_IGNORES_SHUTOFF,
    },
  };
}

import type { HistoryReader } from '#libs/history';
import type { Cloud } from '#libs/openstack';
import type { PluginRegistry } from '#libs/plugin-kit';
import { runPeriodically, type ServiceContext } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { hostsByCell, parseCells } from './collectors/cells.ts';
import { collectComputeModel } from './collectors/compute-collector.ts';
import { type ForeignCollectors, foreignCollectors } from './collectors/foreign-collectors.ts';
import { createPortReader, type PortReader } from './collectors/port-reader.ts';
import { createShareReader } from './collectors/share-reader.ts';
import type { decisionEngineEnv } from './env.ts';
import { createModelKeeper, type ModelKeeper } from './model/model-keeper.ts';
import { createHostObserver } from './model/observe-hosts.ts';
import { createOtherModels, type OtherModels } from './model/other-models.ts';
import { createModelPublisher } from './model/publish-models.ts';
import { createEventApplier } from './notifications/event-applier.ts';
import { followNotifications } from './notifications/follow-notifications.ts';
import { createPropertyOutdater } from './notifications/outdate-properties.ts';
import { createPortEventApplier } from './notifications/port-event-applier.ts';
import { createStorageEventApplier } from './notifications/storage-event-applier.ts';

type Context = ServiceContext<typeof decisionEngineEnv>;

/** How often new models of the cloud are published to their followers. */
const modelSummaryMs = 5_000;

/** The models of the cloud that an engine keeps. */
export interface EngineModels {
  compute: ModelKeeper;
  others: OtherModels;
  /** Collectors of plugins. */
  foreign: ForeignCollectors;
  /** The network ports of servers in the compute model. */
  ports: PortReader;
}

/** Keeps the models of compute, block storage and bare metal, and publishes new ones to their followers. */
export async function startModels(
  context: Context,
  { cloud, history, store, registry }: { cloud: Cloud; history: HistoryReader; store: Store; registry: PluginRegistry },
): Promise<EngineModels> {
  const { env, logger, metrics, clock, teardown, hostId, loops } = context;
  const cellOf = parseCells(env.VIGIL_NOVA_CELLS);
  const foreign = foreignCollectors(registry, { clock, logger, env: process.env });
  const shares = createShareReader({
    clock,
    maxAgeMs: env.VIGIL_SHARES_MAX_AGE_SECONDS * 1000,
    concurrency: env.VIGIL_COLLECTOR_CONCURRENCY,
  });
  const ports = createPortReader({ clock, maxAgeMs: env.VIGIL_PORTS_MAX_AGE_SECONDS * 1000 });
  const common = { followedMaxAgeMs: env.VIGIL_MODEL_FOLLOWED_MAX_AGE_SECONDS * 1000, clock, logger, metrics };
  const compute = await teardown.start('model', () =>
    createModelKeeper({
      ...common,
      collect: (signal) =>
        collectComputeModel(cloud, {
          clock,
          signal,
          concurrency: env.VIGIL_COLLECTOR_CONCURRENCY,
          cellOf,
          hostBoundPools: env.VIGIL_HOST_BOUND_POOLS,
          mixedCpuModels: env.VIGIL_MIXED_CPU_MODELS,
          novaFilters: env.VIGIL_NOVA_FILTERS,
          shares,
          ports,
          collector: foreign.compute,
        }),
      sizes: ({ hostInfo, instanceInfo }) => ({
        hosts: hostInfo.length,
        instances: instanceInfo.length,
        ...hostsByCell(hostInfo, cellOf),
      }),
    }),
  );
  // So that an audit seldom has to wait for it.
  runPeriodically(context, {
    name: 'model refresh',
    everyMs: () => env.VIGIL_MODEL_PERIOD_SECONDS * 1000,
    loops,
    run: async () => void (await compute.fresh(env.VIGIL_MODEL_MAX_AGE_SECONDS * 1000)),
  });
  const others = await teardown.start('other models', () =>
    createOtherModels({ ...common, cloud, collectors: foreign }),
  );
  runPeriodically(context, {
    name: 'model summaries',
    everyMs: modelSummaryMs,
    run: createModelPublisher({ store, history, clock, logger, host: hostId, models: { compute, ...others } }),
  });
  runPeriodically(context, {
    name: 'host versions',
    everyMs: modelSummaryMs,
    run: createHostObserver({ store, model: compute, clock }),
  });
  return { compute, others, foreign, ports };
}

/**
 * Keeps the models in step with the notifications of Nova, Neutron and Cinder, where brokers for them are configured.
 * Notifications lack the additions of plugins to a model, so such a model is collected instead.
 */
export async function followModels(
  { env, logger, metrics, instanceId, teardown, store }: Context & { store: Store },
  { compute, others, foreign, ports }: EngineModels,
): Promise<void> {
  const common = { logger, metrics };
  const { VIGIL_NOVA_NOTIFICATIONS_URL: novaUrls, VIGIL_CINDER_NOTIFICATIONS_URL: cinderUrls } = env;
  if (novaUrls.length > 0 && !foreign.compute) {
    const outdater = await teardown.start('invalidation of properties', () =>
      createPropertyOutdater({ store, logger }),
    );
    await teardown.start('notifications of Nova', () =>
      followNotifications(
        {
          ...common,
          name: 'compute',
          model: compute,
          createApplier: (onResult) => createEventApplier({ logger, onResult, ports }),
          onNotification: outdater.onNotification,
        },
        { urls: novaUrls, topics: env.VIGIL_NOVA_NOTIFICATION_TOPICS, appId: instanceId },
      ),
    );
  }
  const neutronUrls = env.VIGIL_NEUTRON_NOTIFICATIONS_URL;
  if (neutronUrls.length > 0 && !foreign.compute) {
    await teardown.start('notifications of Neutron', () =>
      followNotifications(
        {
          ...common,
          name: 'ports',
          // Only the notifications of Nova report all changes of the model.
          model: { ...compute, setFollowed: () => undefined },
          createApplier: (onResult) => createPortEventApplier({ ports, logger, onResult }),
          onSubscribed: ports.expire,
        },
        { urls: neutronUrls, topics: env.VIGIL_NEUTRON_NOTIFICATION_TOPICS, appId: instanceId },
      ),
    );
  }
  if (cinderUrls.length > 0 && !foreign.storage) {
    await teardown.start('notifications of Cinder', () =>
      followNotifications(
        {
          ...common,
          name: 'storage',
          model: others.storage,
          createApplier: (onResult) => createStorageEventApplier({ logger, onResult }),
        },
        { urls: cinderUrls, topics: env.VIGIL_CINDER_NOTIFICATION_TOPICS, appId: instanceId },
      ),
    );
  }
}

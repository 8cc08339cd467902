import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import type { Clock, JsonObject, Logger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import type { ModelName } from '#libs/plugin-kit';
import type { Store } from '#libs/store';
import { hostSummaries, spreadOf, totalsOf } from './host-summaries.ts';
import { type Loads, measureLoads } from './measure-loads.ts';
import type { ModelKeeper, Picture } from './model-keeper.ts';

export interface PublishModelsDeps {
  store: Pick<Store, 'db'>;
  history: HistoryReader;
  clock: Clock;
  logger: Logger;
  /** Name of this host. */
  host: string;
  models: {
    compute: Pick<ModelKeeper, 'latest'>;
    storage: Pick<ModelKeeper<StorageSnapshot>, 'latest'>;
    baremetal: Pick<ModelKeeper<BaremetalSnapshot>, 'latest'>;
  };
}

const loadMetrics = ['host_cpu_usage', 'host_ram_usage'] as const;
/** Window of the mean load. */
const loadPeriodSeconds = 300;
/** Loads change without a new model. One decision engine publishes them in this interval. */
const loadsEveryMs = 60_000;
/** Measured loads stay valid for this time when models follow each other faster. */
const loadsKeptMs = 30_000;
const maxGaps = 20;

/**
 * Creates the function that publishes the models that changed since its last call: age, completeness, counts, and for
 * compute the spread of the load. The change stream publishes it as `data_model`.
 */
export function createModelPublisher(deps: PublishModelsDeps): () => Promise<void> {
  const { store, clock, models } = deps;
  const reported = new Map<ModelName, { picture: Picture; atMs: number }>();
  let measured: { loads: Loads; atMs: number } | null = null;

  async function currentLoads(): Promise<Loads> {
    if (measured && clock.now() - measured.atMs < loadsKeptMs) return measured.loads;
    const loads = await measureLoads({ metrics: loadMetrics, periodSeconds: loadPeriodSeconds }, deps);
    measured = { loads, atMs: clock.now() };
    return loads;
  }

  async function isDue(name: ModelName, picture: Picture): Promise<boolean> {
    const before = reported.get(name);
    if (before?.picture !== picture) return true;
    if (name !== 'compute' || clock.now() - before.atMs < loadsEveryMs) return false;
    const ageSeconds = await store.db.publishedStates.age('data_model', name);
    return ageSeconds === null || ageSeconds * 1000 >= loadsEveryMs;
  }

  async function report<Snapshot extends Picture>(
    name: ModelName,
    picture: Snapshot | null,
    describe: (picture: Snapshot) => Promise<JsonObject> | JsonObject,
  ): Promise<void> {
    if (!picture || !(await isDue(name, picture))) return;
    const doc = {
      taken_at: new Date(picture.takenAtMs).toISOString(),
      complete: picture.complete,
      gaps: picture.gaps.slice(0, maxGaps),
      hostname: deps.host,
      ...(await describe(picture)),
      published_at: new Date(clock.now()).toISOString(),
    };
    await store.db.publishedStates.publish({ kind: 'data_model', name, doc }, 'taken_at');
    reported.set(name, { picture, atMs: clock.now() });
  }

  return async () => {
    await report('compute', models.compute.latest(), async (picture) => describeCompute(picture, await currentLoads()));
    await report('storage', models.storage.latest(), ({ pools, volumes }) => ({
      counts: { pools: pools.length, volumes: volumes.length },
    }));
    await report('baremetal', models.baremetal.latest(), ({ nodes }) => ({ counts: { nodes: nodes.length } }));
  };
}

function describeCompute(picture: ComputeSnapshot, loads: Loads): JsonObject {
  const hosts = hostSummaries(picture, loads);
  const { hosts: count, hosts_up, hosts_enabled, hosts_empty, instances, cpu_load } = totalsOf(hosts);
  return {
    counts: { hosts: count, hosts_up, hosts_enabled, hosts_empty, instances },
    cpu_load,
    memory_load: spreadOf(hosts.flatMap(({ memory_load: load }) => load ?? [])),
    load_sources: loads.measurement.sources,
    load_error: loads.measurement.error,
  };
}

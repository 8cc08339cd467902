import { type ComputeSnapshot, type PlacementRequest, placementRequest } from '#libs/cluster-model';
import type { Clock } from '#libs/domain';
import type { CloudCallOptions, PlacementPort } from '#libs/openstack';
import { createRecentMap, createSemaphore, type Metrics } from '#libs/service-kit';

/** A move of an instance with resources that the model does not count. */
export interface DeviceMove {
  instance: string;
  /** Null where Nova chooses. */
  host: string | null;
}

/** Checks moves of instances with devices with Placement, within a limit for each audit. */
export interface PlacementQueries {
  /** Starts the queries of one audit. */
  open(): PlacementSession;
}

/** The queries of one audit. */
export interface PlacementSession {
  /**
   * The moves that Placement does not admit now, and those that could not be checked. Rejects only when the signal
   * fires.
   */
  refused(snapshot: ComputeSnapshot, moves: readonly DeviceMove[], signal: AbortSignal): Promise<DeviceMove[]>;
}

interface Deps {
  placement: Pick<PlacementPort, 'listResourceProviders' | 'hasCandidates'>;
  clock: Clock;
  metrics: Metrics;
}

interface Options {
  /** Most queries of one audit. */
  most: number;
  /** Time for the queries of one audit. Milliseconds, default 20 s. */
  mostMs?: number;
}

const defaultMostMs = 20_000;
/** Parallel queries, and cached results. */
const concurrency = 8;
const keptResults = 10_000;

/** Starts without results. Results are cached until the host's generation in Placement changes. */
export function createPlacementQueries({ placement, clock, metrics }: Deps, options: Options): PlacementQueries {
  const { most, mostMs = defaultMostMs } = options;
  const known = createRecentMap<string, { possible: boolean }>(keptResults);
  const queries = metrics.counter(
    'vigil_placement_queries_total',
    'Moves of instances with devices, by the verdict of Placement',
    ['result'],
  );

  async function query({ host, request, key }: Query, call: CloudCallOptions): Promise<boolean> {
    const trees = request.groups.map((suffix): [string, string] => [`in_tree${suffix}`, host]);
    const possible = await placement.hasCandidates({ ...request.query, ...Object.fromEntries(trees) }, call);
    queries.inc({ result: possible ? 'possible' : 'refused' });
    known.set(key, { possible });
    return possible;
  }

  function leftOut(result: 'failed' | 'left_out'): false {
    queries.inc({ result });
    return false;
  }

  function open(): PlacementSession {
    let made = 0;
    let endsMs: number | null = null;
    return {
      async refused(snapshot, moves, signal) {
        endsMs ??= clock.now() + mostMs;
        const limit = AbortSignal.timeout(Math.max(0, endsMs - clock.now()));
        const call = { signal: AbortSignal.any([signal, limit]) };
        const generations = await generationsOf(placement, call).catch(() => {
          signal.throwIfAborted();
          return null;
        });
        const semaphore = createSemaphore(concurrency);

        async function isPossible(wanted: Query): Promise<boolean> {
          const former = known.get(wanted.key);
          if (former !== undefined) return former.possible;
          if (made >= most || limit.aborted) return leftOut('left_out');
          made++;
          const running = semaphore.run(() => query(wanted, call), call.signal);
          return await running.catch(() => {
            signal.throwIfAborted();
            return leftOut('failed');
          });
        }

        const wanted = moves.map((move) => generations && queryOf(snapshot, move, generations));
        const possible = await Promise.all(wanted.map((one) => (one ? isPossible(one) : leftOut('failed'))));
        return moves.filter((_, index) => !possible[index]);
      },
    };
  }

  return { open };
}

/** A query, and the cache key of its result, which is valid for one generation of the host. */
interface Query {
  /** Uuid of the host's provider. */
  host: string;
  request: PlacementRequest;
  key: string;
}

function queryOf(
  { instanceInfo, hostInfo }: ComputeSnapshot,
  move: DeviceMove,
  generations: ReadonlyMap<string, number>,
): Query | null {
  const info = instanceInfo.find(({ uuid }) => uuid === move.instance);
  const host = hostInfo.find(({ hostname }) => hostname === move.host)?.uuid;
  const request = info && placementRequest(info);
  const generation = generations.get(host ?? '');
  if (!request || host === undefined || generation === undefined) return null;
  return { host, request, key: `${host} ${generation} ${JSON.stringify(request.query)}` };
}

/** Generations of all providers by uuid. */
async function generationsOf(
  placement: Deps['placement'],
  call: CloudCallOptions,
): Promise<ReadonlyMap<string, number>> {
  const providers = await placement.listResourceProviders(call);
  return new Map(providers.map(({ uuid, generation }) => [uuid, generation]));
}

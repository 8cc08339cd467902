import type { ComputeSnapshot } from '#libs/cluster-model';
import { networksOf, type PlanLimits } from '#libs/plugin-kit';
import type { Task } from './tasks.ts';

/** The places of one limit. */
export interface Lane {
  /** An entry for every free place: the task that last used it, −1 when none did. */
  free: number[];
}

/**
 * Lanes are the limits of a plan. Each source host, destination host, network, aggregate, and the plan as a whole have
 * some. A task occupies one lane of each. The next task in a lane waits for the one before.
 */
export interface Lanes {
  /** Lanes that the task needs in addition to that of the whole plan. */
  of(task: Task): readonly Lane[];
  /** One of them that has no place. Null when all have. */
  busyLane(task: Task): Lane | null;
  /** Occupies lanes and returns the tasks that had them before. */
  enter(task: Task): number[];
  leave(task: Task): void;
  /** Whether the plan as a whole has room for another copying task. */
  anyFree(): boolean;
}

function freshLane(count: number): Lane {
  return { free: Array.from({ length: Math.max(1, Math.floor(count)) }, () => -1) };
}

/** A resource that hosts share, with its limit of concurrent migrations. */
interface Shared {
  name: string;
  limit: number;
}

type Hosts = Pick<Task, 'source' | 'destination' | 'sourceRow' | 'destinationRow'>;

/** Networks and aggregates of the hosts of a migration that have a limit. */
export function createSharing(
  limits: PlanLimits,
  { hostInfo, aggregates }: ComputeSnapshot,
): (hosts: Hosts) => Shared[] {
  const byHost = new Map<string, string[]>();
  const networks = limits.parallelPerNetwork === undefined ? [] : (limits.networks ?? []);

  function networksOfHost(host: string): string[] {
    const known = byHost.get(host) ?? networksOf([host], networks);
    byHost.set(host, known);
    return known;
  }

  function aggregatesOfRow(row: number): string[] {
    if (limits.parallelPerAggregate === undefined) return [];
    return (hostInfo[row]?.aggregates ?? []).flatMap((aggregate) => aggregates[aggregate]?.name ?? []);
  }

  return ({ source, destination, sourceRow, destinationRow }) => {
    const hosts = [source, destination].flatMap((host) => host ?? []);
    const limited = (kind: string, names: readonly string[], limit = 0) =>
      [...new Set(names)].map((name): Shared => ({ name: `${kind} ${name}`, limit }));
    return [
      ...limited('network', hosts.flatMap(networksOfHost), limits.parallelPerNetwork),
      ...limited('aggregate', [sourceRow, destinationRow].flatMap(aggregatesOfRow), limits.parallelPerAggregate),
    ];
  };
}

/** Lanes for the given limits, all free. */
export function createLanes(limits: PlanLimits, snapshot: ComputeSnapshot): Lanes {
  const sharing = createSharing(limits, snapshot);
  const whole = freshLane(limits.parallelMigrations);
  const shared = new Map<string, Lane>();
  const known = new Map<number, Lane[]>();

  function sharedLane(key: string, count: number): Lane {
    const found = shared.get(key) ?? freshLane(count);
    shared.set(key, found);
    return found;
  }

  function findLanes(task: Task): Lane[] {
    if (!task.copiesData) return [];
    const lanes: Lane[] = [];
    if (task.source !== null) lanes.push(sharedLane(`source ${task.source}`, limits.parallelPerSourceHost));
    if (task.destination !== null) {
      lanes.push(sharedLane(`destination ${task.destination}`, limits.parallelPerDestinationHost));
    }
    for (const { name, limit } of sharing(task)) lanes.push(sharedLane(name, limit));
    return lanes;
  }

  function lanesOf(task: Task): Lane[] {
    const found = known.get(task.index) ?? findLanes(task);
    known.set(task.index, found);
    return found;
  }

  const withWhole = (task: Task) => (task.copiesData ? [whole, ...lanesOf(task)] : []);

  return {
    of: lanesOf,
    busyLane: (task) => lanesOf(task).find(({ free }) => free.length === 0) ?? null,
    enter: (task) =>
      withWhole(task)
        .flatMap(({ free }) => free.shift() ?? [])
        .filter((last) => last >= 0),
    leave(task) {
      for (const { free } of withWhole(task)) free.push(task.index);
    },
    anyFree: () => whole.free.length > 0,
  };
}

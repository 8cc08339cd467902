import type { PlanLimits, PlannedAction } from '#libs/plugin-kit';

/** How long an action takes, in any unit. */
export type Duration = (action: PlannedAction) => number;

function hostOf({ inputParameters }: PlannedAction, key: 'source_node' | 'destination_node'): string | null {
  const name = inputParameters[key];
  return typeof name === 'string' ? name : null;
}

/** End of the last action when each starts as soon as its parents have ended. Actions come parents first. */
export function makespan(actions: readonly PlannedAction[], duration: Duration): number {
  const ends = new Map<string, number>();
  let last = 0;
  for (const action of actions) {
    const begin = action.parents.reduce((latest, parent) => Math.max(latest, ends.get(parent) ?? 0), 0);
    const end = begin + duration(action);
    ends.set(action.uuid, end);
    last = Math.max(last, end);
  }
  return last;
}

/** Lower bounds for any order: the work that must pass through the lanes of each limit. */
export interface Bounds {
  /** Bound of the busiest host, or of the longest single move, which lanes cannot share. */
  busiestHost: number;
  /** Bound of the limit of the whole plan. */
  wholePlan: number;
}

/** Work for each limit, divided by its lanes. A migration counts at both hosts. */
export function bounds(actions: readonly PlannedAction[], limits: PlanLimits, duration: Duration): Bounds {
  const perHost = new Map<string, number>();
  let whole = 0;
  let longest = 0;
  for (const action of actions) {
    const time = duration(action);
    longest = Math.max(longest, time);
    whole += time / limits.parallelMigrations;
    const [source, destination] = [hostOf(action, 'source_node'), hostOf(action, 'destination_node')];
    for (const [key, lanes] of [
      [`from ${source}`, limits.parallelPerSourceHost],
      [`to ${destination}`, limits.parallelPerDestinationHost],
    ] as const)
      perHost.set(key, (perHost.get(key) ?? 0) + time / lanes);
  }
  return { busiestHost: Math.max(longest, ...perHost.values()), wholePlan: whole };
}

/** Returns the most parallel actions from one host, to one host and in total, when each starts as early as possible. */
export function mostAtOnce(actions: readonly PlannedAction[], duration: Duration): PlanLimits {
  const changes: { at: number; change: 1 | -1; keys: string[] }[] = [];
  const ends = new Map<string, number>();
  for (const action of actions) {
    const begin = action.parents.reduce((latest, parent) => Math.max(latest, ends.get(parent) ?? 0), 0);
    const end = begin + duration(action);
    ends.set(action.uuid, end);
    if (end === begin) continue;
    const keys = ['all', `from ${hostOf(action, 'source_node')}`, `to ${hostOf(action, 'destination_node')}`];
    changes.push({ at: begin, change: 1, keys }, { at: end, change: -1, keys });
  }
  changes.sort((a, b) => a.at - b.at || a.change - b.change);
  const running = new Map<string, number>();
  const most = { parallelMigrations: 0, parallelPerSourceHost: 0, parallelPerDestinationHost: 0 };
  for (const { change, keys } of changes) {
    for (const key of keys) {
      const count = (running.get(key) ?? 0) + change;
      running.set(key, count);
      if (key === 'all') most.parallelMigrations = Math.max(most.parallelMigrations, count);
      else if (key.startsWith('from ')) most.parallelPerSourceHost = Math.max(most.parallelPerSourceHost, count);
      else most.parallelPerDestinationHost = Math.max(most.parallelPerDestinationHost, count);
    }
  }
  return most;
}

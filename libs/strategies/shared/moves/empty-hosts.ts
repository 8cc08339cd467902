import { hostAt } from '../hosts/rows.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { createEmptyingRun, type Emptied, type EmptyingTask } from './emptying-run.ts';

/** Up to this number of hosts, all sets of them are checked. */
const smallCloud = 10;
/** Maximum placements for that. */
const mostPlacements = 20_000;

function isBetter(one: Emptied, other: Emptied): boolean {
  if (one.freed.length !== other.freed.length) return one.freed.length > other.freed.length;
  return one.moves.length < other.moves.length;
}

/** Sets of hosts that would be better than the plan, the best first. */
function betterSets({ model }: EmptyingTask, hosts: readonly number[], plan: Emptied): number[][] {
  const sets: { hosts: number[]; moves: number }[] = [];
  for (let mask = 1; mask < 1 << hosts.length; mask++) {
    const chosen = hosts.filter((_, bit) => (mask >> bit) & 1);
    const moves = chosen.reduce((sum, host) => sum + model.instancesOn(host).length, 0);
    const isMore = chosen.length > plan.freed.length;
    if (isMore || (chosen.length === plan.freed.length && moves < plan.moves.length))
      sets.push({ hosts: chosen, moves });
  }
  return sets.sort((a, b) => b.hosts.length - a.hosts.length || a.moves - b.moves).map((set) => set.hosts);
}

function searchSmall(task: EmptyingTask, plan: Emptied): Emptied {
  const [hosts = []] = task.orders;
  const work = { left: mostPlacements };
  for (const set of betterSets(task, hosts, plan)) {
    if (work.left <= 0) break;
    const run = createEmptyingRun(task);
    const isDone = run.together(set, work);
    const found = run.end();
    if (isDone && isBetter(found, plan)) return { ...found, obstacles: plan.obstacles };
  }
  return plan;
}

/**
 * Empties hosts, each completely or not at all. An instance moves to the first candidate that accepts it. Several
 * orders are tried. In a small cloud, all sets of hosts are tried.
 */
export function emptyHosts(task: EmptyingTask): Emptied {
  const plans = task.orders.map((order) => {
    const run = createEmptyingRun(task);
    run.oneByOne(order);
    return run.end();
  });
  const best = plans.reduce((one, other) => (isBetter(other, one) ? other : one));
  const isFree = task.attempts === 0 && task.reserve === 0;
  const isSmall = (task.orders[0]?.length ?? 0) <= smallCloud;
  return task.searchesSmall && isFree && isSmall ? searchSmall(task, best) : best;
}

/** Counts the obstacles of hosts, and returns the notes of the failure reserve. */
export function reportObstacles({ model }: EmptyingTask, plan: Emptied, blocked: BlockedTally): string[] {
  for (const { constraint, host } of plan.obstacles) blocked.add(constraint, hostAt(model.snapshot, host).hostname);
  return plan.reportReserve(blocked);
}

import { bestMove, type Search } from './best-move.ts';
import type { Move } from './worth.ts';

/** Up to this number of instance and host pairs, every step checks all of them. */
const smallCluster = 60_000;
/** Number of hosts checked first in a large cluster: the most loaded as sources, the least loaded as destinations. */
const firstSources = 8;
const firstDestinations = 48;
const growth = 4;
/** Maximum pairs evaluated in one run. About a second of work. */
export const evaluationBudget = 30_000_000;

/** Whether every step may check all pairs. */
export function isSmallCluster({ candidates, table }: Search): boolean {
  return candidates.count * table.hosts.length <= smallCluster;
}

/** Whether a host has room for the smallest of the movable instances. */
export function hasRoom({ model, candidates }: Search, host: number): boolean {
  const free = model.free(host);
  return free.vcpus >= candidates.smallest.vcpus && free.memory >= candidates.smallest.memory;
}

/** The first hosts that fit, at most this many, and whether these are all that fit. */
function firstThatFit(hosts: Iterable<number>, most: number, fits: (host: number) => boolean) {
  const found: number[] = [];
  for (const host of hosts) {
    if (!fits(host)) continue;
    if (found.length === most) return { found, isAll: false };
    found.push(host);
  }
  return { found, isAll: true };
}

function* backwards(hosts: readonly number[]): Generator<number> {
  for (let at = hosts.length - 1; at >= 0; at--) yield hosts[at] as number;
}

/**
 * The best single move. In a large cluster the extreme hosts are checked first, since the gain of a move grows with
 * the distance of its two hosts from the mean. Without a good move, the search extends to further hosts.
 */
export function fullSearchStep(search: Search): Move | null {
  const { table, candidates } = search;
  const order = table.byPressure();
  let sources = firstSources;
  let destinations = firstDestinations;
  if (isSmallCluster(search)) sources = destinations = order.length;
  for (;;) {
    const hottest = firstThatFit(order, sources, (host) => candidates.on(host).length > 0);
    const coldest = firstThatFit(backwards(order), destinations, (host) => hasRoom(search, host));
    const move = bestMove(search, hottest.found, coldest.found);
    const isAll = hottest.isAll && coldest.isAll;
    if (move !== null || isAll || search.evaluated > evaluationBudget) return move;
    sources = Math.min(order.length, sources * growth);
    destinations = Math.min(order.length, destinations * growth);
  }
}

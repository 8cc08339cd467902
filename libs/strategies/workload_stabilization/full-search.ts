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

/**
 * The best single move. In a large cluster the extreme hosts are checked first, since the gain of a move grows with
 * the distance of its two hosts from the mean. Without a good move, the search extends to further hosts.
 */
export function fullSearchStep(search: Search): Move | null {
  const { table, candidates } = search;
  const order = table.byPressure();
  const withCandidates = order.filter((host) => candidates.on(host).length > 0);
  const withRoom = order.filter((host) => hasRoom(search, host));
  let sources = firstSources;
  let destinations = firstDestinations;
  if (isSmallCluster(search)) sources = destinations = order.length;
  for (;;) {
    const coldest = withRoom.slice(-destinations).reverse();
    const move = bestMove(search, withCandidates.slice(0, sources), coldest);
    const everything = sources >= withCandidates.length && destinations >= withRoom.length;
    if (move !== null || everything || search.evaluated > evaluationBudget) return move;
    sources = Math.min(order.length, sources * growth);
    destinations = Math.min(order.length, destinations * growth);
  }
}

/**
 * Remembers searches without a result, so that a search is only repeated after a change. A search has a key (a leaving
 * instance or a receiving host) and checks hosts.
 */
export interface FruitlessSearches {
  /** Must be called for every move between two hosts. */
  moved(from: number, to: number): void;
  /** Records that the search of the key found nothing in the current cloud. */
  add(key: number): void;
  /** Whether the search found nothing, and its host `own` has not changed since then. */
  has(key: number, own: number): boolean;
  /** Whether the host has changed since the search found nothing. */
  isNew(key: number, host: number): boolean;
  forget(): void;
}

/** Creates a memory without searches. Every call costs O(1). */
export function createFruitlessSearches(keys: number, hosts: number): FruitlessSearches {
  /** Number of the last move of each host. The first move is 1. */
  const changedAt = new Uint32Array(hosts);
  /** Number of the last move before each search, plus 1. 0 for none. */
  const failedAt = new Uint32Array(keys);
  let moves = 0;
  const isNew = (key: number, host: number): boolean => (changedAt[host] as number) >= (failedAt[key] as number);
  return {
    moved(from, to) {
      moves += 1;
      changedAt[from] = moves;
      changedAt[to] = moves;
    },
    add(key) {
      failedAt[key] = moves + 1;
    },
    has: (key, own) => !isNew(key, own),
    isNew,
    forget: () => void failedAt.fill(0),
  };
}

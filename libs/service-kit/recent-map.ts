import { LRUCache } from 'lru-cache';

/** A map of bounded size: the least recently used entry is removed first. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** An empty map of at most `max` entries. */
export function createRecentMap<Key extends {}, Value extends {}>(max: number): RecentMap<Key, Value> {
  return new LRUCache<Key, Value>({ max });
}

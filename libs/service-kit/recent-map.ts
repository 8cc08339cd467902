/** A map of bounded size: what was neither read nor written for longest goes first. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** An empty map of at most `max` entries. */
export function createRecentMap<Key, Value>(max: number): RecentMap<Key, Value> {
  const entries = new Map<Key, { value: Value }>();

  function touch(key: Key, entry: { value: Value }): void {
    entries.delete(key);
    entries.set(key, entry);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) touch(key, entry);
      return entry?.value;
    },
    set(key, value) {
      touch(key, { value });
      if (entries.size <= max) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
    delete(key) {
      entries.delete(key);
    },
  };
}

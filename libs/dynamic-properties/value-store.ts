/** Keeps values by an id that is never used again, outside of the process. It may lose any of them. Never throws. */
export interface ValueCache {
  /** Null when it is missing or the cache is unavailable. */
  get(id: string): Promise<string | null>;
  /** False when it was not kept. */
  set(id: string, text: string, seconds: number): Promise<boolean>;
  close(): void;
}

/** Which property of which entity. */
export interface PropertyKey {
  kind: string;
  id: string;
  name: string;
}

/** A cached property at the current time, by the clock of the store. */
export interface PropertyEntry {
  /** Stamp of the visible invalidations. It is stored with the next loaded values. */
  mark: string;
  /** The last good value. Null when there is none. `text` is null when the reader knows it or it is kept elsewhere. */
  value: { valueId: string; text: string | null; ageSeconds: number; fresh: boolean; usable: boolean } | null;
  /** Why the last load failed, for as long as that counts. */
  error: PropertyFault | null;
  /** Another process has the lock. */
  loading: boolean;
}

/** Why a load failed. */
export interface PropertyFault {
  code: string;
  message: string;
}

/** Storage that all processes share: entries and locks. The domain store's `dynamicValues` is one. */
export interface ValueStore {
  read(key: PropertyKey, knownId: string | null): Promise<PropertyEntry>;
  lock(key: PropertyKey, owner: string, seconds: number): Promise<boolean>;
  unlock(key: PropertyKey, owner: string): Promise<void>;
  keep(
    key: PropertyKey,
    load: { valueId: string; text: string | null; ttlSeconds: number; staleSeconds: number },
    mark: string,
  ): Promise<void>;
  keepError(key: PropertyKey, error: PropertyFault, seconds: number, mark: string): Promise<void>;
  invalidate(key: { kind: string; id: string; name: string | null }): Promise<void>;
}

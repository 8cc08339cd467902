/** Which property of which entity. */
export interface DynamicKey {
  /** Kind of the entity, such as `server`. */
  kind: string;
  /** Its uuid, or whatever tells one from another. */
  id: string;
  /** Name of the property. */
  name: string;
}

/** A cached property as it is now, by database time. */
export interface DynamicEntry {
  /** Stamp of the invalidations that are visible; what is loaded from now on is stored with it. */
  mark: string;
  /** The last good value; null when there is none. */
  value: {
    /** Changes with each load. */
    valueId: string;
    /** JSON; null when the caller has it already (`knownId`) or it is kept elsewhere. */
    text: string | null;
    ageSeconds: number;
    /** Within its time to live, and nothing has been invalidated since. */
    fresh: boolean;
    /** May be shown while it is loaded anew. */
    usable: boolean;
  } | null;
  /** Why the last load failed; null when it went well or the failure is too old to count. */
  error: { code: string; message: string } | null;
  /** Somebody is loading it. */
  loading: boolean;
}

/** What was loaded. */
export interface DynamicLoad {
  valueId: string;
  /** JSON; null when it is kept elsewhere. */
  text: string | null;
  ttlSeconds: number;
  /** How long after `ttlSeconds` it may still be shown. */
  staleSeconds: number;
}

/** Cached dynamic properties with the lock under which a property is loaded, shared by all processes. */
export interface DynamicValues {
  /** How it stands with a property. The text of `knownId` is not sent again. */
  read(key: DynamicKey, knownId: string | null): Promise<DynamicEntry>;
  /** Takes the lock for `owner`; false when somebody else has it. It ends by itself after `seconds`. */
  lock(key: DynamicKey, owner: string, seconds: number): Promise<boolean>;
  /** Gives the lock of `owner` up. */
  unlock(key: DynamicKey, owner: string): Promise<void>;
  /** Keeps what was loaded after `mark` was read. An earlier failure is forgotten. */
  keep(key: DynamicKey, load: DynamicLoad, mark: string): Promise<void>;
  /** Keeps for `seconds` why a load begun after `mark` was read failed; the last good value stays. */
  keepError(key: DynamicKey, error: { code: string; message: string }, seconds: number, mark: string): Promise<void>;
  /**
   * What has been loaded so far is no longer good: one property, or all of an entity. Changes of audits, plans, actions and
   * the other logged entities do that by themselves, in their own transaction.
   */
  invalidate(key: Omit<DynamicKey, 'name'> & { name: string | null }): Promise<void>;
  /** Forgets what nobody has loaded for `ageSeconds`; answers how much. */
  prune(ageSeconds: number): Promise<number>;
}

import type { EntityManager } from 'typeorm';
import { pruneOlder, type Session } from '../session/session.ts';

/** A property of an entity. */
interface DynamicKey {
  /** Kind of the entity, such as `server`. */
  kind: string;
  /** Its uuid, or another unique key. */
  id: string;
  /** Name of the property. */
  name: string;
}

/** Current cached property, by database time. */
interface DynamicEntry {
  /** Mark of the visible invalidations. Pass it when storing a value that is loaded from now on. */
  mark: string;
  /** The last good value, or null. */
  value: {
    /** Changes with each load. */
    valueId: string;
    /** JSON. Null when the caller already has it (`knownId`) or it is stored elsewhere. */
    text: string | null;
    ageSeconds: number;
    /** Within its time to live and not invalidated. */
    fresh: boolean;
    /** May be shown while it is reloaded. */
    usable: boolean;
  } | null;
  /** Why the last load failed. Null after a success, or when the failure is too old. */
  error: { code: string; message: string } | null;
  /** Another owner is loading it. */
  loading: boolean;
}

/** A loaded value. */
interface DynamicLoad {
  valueId: string;
  /** JSON. Null when it is stored elsewhere. */
  text: string | null;
  ttlSeconds: number;
  /** Time after `ttlSeconds` in which it may still be shown. */
  staleSeconds: number;
}

/** Cached dynamic properties and their load locks, shared by all processes. */
export interface DynamicValues {
  /** State of a property. The value of `knownId` is not sent again. */
  read(key: DynamicKey, knownId: string | null): Promise<DynamicEntry>;
  /** Takes the lock for `owner`. False when another owner has it. The lock expires after `seconds`. */
  lock(key: DynamicKey, owner: string, seconds: number): Promise<boolean>;
  /** Releases the lock of `owner`. */
  unlock(key: DynamicKey, owner: string): Promise<void>;
  /** Stores the values loaded after `mark` was read, and removes an earlier failure. */
  keep(key: DynamicKey, load: DynamicLoad, mark: string): Promise<void>;
  /** Stores for `seconds` the failure of a load that started after `mark` was read. The last good value stays. */
  keepError(key: DynamicKey, error: { code: string; message: string }, seconds: number, mark: string): Promise<void>;
  /**
   * Invalidates loaded values: one property, or all of an entity. Changes of audits, plans, actions and other logged
   * entities do this automatically in their transaction.
   */
  invalidate(key: Omit<DynamicKey, 'name'> & { name: string | null }): Promise<void>;
  /**
   * Invalidates all values of each entity with a value or a running locked load. It writes nothing for other entities,
   * so it suits notifications, most of which concern entities that no process reads.
   */
  invalidateKept(entities: readonly Omit<DynamicKey, 'name'>[]): Promise<void>;
  /** Removes values that were not loaded for `ageSeconds`. Returns the number. */
  prune(ageSeconds: number): Promise<number>;
}

interface EntryRow {
  mark: string;
  valueId: string | null;
  text: string | null;
  ageSeconds: number;
  fresh: boolean;
  usable: boolean;
  error: string | null;
  errorCode: string | null;
  loading: boolean;
}

/** Longer than any load, so its mark is still valid at its end. */
const longestLoadSeconds = 180;

const markOf = `(
  SELECT coalesce(sum(token), 0)::text FROM dynamic_invalidations
  WHERE kind = $1 AND entity_id = $2 AND (name IS NULL OR name = $3)
)`;
const seconds = (parameter: string) => `clock_timestamp() + ${parameter}::double precision * interval '1 second'`;
const partsOf = ({ kind, id, name }: DynamicKey) => [kind, id, name];

/** The cache of dynamic properties, working through `session`. */
export function createDynamicValues(session: Session): DynamicValues {
  const run = (sql: string, parameters: unknown[]) =>
    session.writeOnce((manager) => manager.query<unknown>(sql, parameters));
  return {
    read: (key, knownId) =>
      session.read(async (manager) => {
        const [row] = await manager.query<EntryRow[]>(
          `SELECT m.mark, v.value_id AS "valueId", v.error, v.error_code AS "errorCode",
             CASE WHEN v.value_id IS DISTINCT FROM $4::uuid THEN v.value END AS text,
             extract(epoch FROM clock_timestamp() - v.loaded_at)::double precision AS "ageSeconds",
             v.mark = m.mark AND v.expires_at > clock_timestamp() AS fresh,
             v.mark = m.mark AND v.stale_until > clock_timestamp() AS usable,
             coalesce(v.error_until > clock_timestamp() AND v.error_mark = m.mark, false) AS "failed",
             coalesce(v.lock_until > clock_timestamp(), false) AS loading
           FROM (SELECT ${markOf} AS mark) AS m
           LEFT JOIN dynamic_values AS v ON v.kind = $1 AND v.entity_id = $2 AND v.name = $3`,
          [...partsOf(key), knownId],
        );
        return entryOf(row as EntryRow & { failed: boolean });
      }),

    lock: async (key, owner, ttl) => {
      const taken = await run(
        `INSERT INTO dynamic_values AS v (kind, entity_id, name, lock_owner, lock_until)
         VALUES ($1, $2, $3, $4, ${seconds('$5')})
         ON CONFLICT (kind, entity_id, name) DO UPDATE
           SET lock_owner = excluded.lock_owner, lock_until = excluded.lock_until
           WHERE v.lock_until IS NULL OR v.lock_until <= clock_timestamp()
         RETURNING 1`,
        [...partsOf(key), owner, ttl],
      );
      return (taken as unknown[]).length > 0;
    },

    unlock: async (key, owner) => {
      await run(
        `UPDATE dynamic_values SET lock_owner = NULL, lock_until = NULL
         WHERE kind = $1 AND entity_id = $2 AND name = $3 AND lock_owner = $4`,
        [...partsOf(key), owner],
      );
    },

    keep: async (key, load, mark) => {
      await run(
        `INSERT INTO dynamic_values (kind, entity_id, name, value_id, value, mark, loaded_at, expires_at, stale_until)
         VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp(), ${seconds('$7')}, ${seconds('$8')})
         ON CONFLICT (kind, entity_id, name) DO UPDATE
           SET value_id = excluded.value_id, value = excluded.value, mark = excluded.mark, loaded_at = excluded.loaded_at,
             expires_at = excluded.expires_at, stale_until = excluded.stale_until, touched_at = now(),
             error = NULL, error_code = NULL, error_until = NULL`,
        [...partsOf(key), load.valueId, load.text, mark, load.ttlSeconds, load.ttlSeconds + load.staleSeconds],
      );
    },

    keepError: async (key, { code, message }, ttl, mark) => {
      await run(
        `INSERT INTO dynamic_values (kind, entity_id, name, error, error_code, error_until, error_mark)
         VALUES ($1, $2, $3, $4, $5, ${seconds('$6')}, $7)
         ON CONFLICT (kind, entity_id, name) DO UPDATE
           SET error = excluded.error, error_code = excluded.error_code, error_until = excluded.error_until,
             error_mark = excluded.error_mark, touched_at = now()`,
        [...partsOf(key), message, code, ttl, mark],
      );
    },

    invalidateKept: async (entities) => {
      await run(
        `INSERT INTO dynamic_invalidations (kind, entity_id, token)
         SELECT kind, id, (random() * 1e15)::bigint FROM unnest($1::text[], $2::text[]) AS changed (kind, id)
         WHERE EXISTS (
           SELECT 1 FROM dynamic_values AS value WHERE value.kind = changed.kind AND value.entity_id = changed.id
         )`,
        [entities.map(({ kind }) => kind), entities.map(({ id }) => id)],
      );
    },

    invalidate: async (key) => {
      await run(
        `INSERT INTO dynamic_invalidations (kind, entity_id, name, token) VALUES ($1, $2, $3, (random() * 1e15)::bigint)`,
        [key.kind, key.id, key.name],
      );
    },

    prune: (ageSeconds) =>
      session.write(async (manager) => {
        const unread = await pruneUnread(manager, Math.min(ageSeconds, longestLoadSeconds));
        const invalidations = unread + (await pruneOlder(manager, 'dynamic_invalidations', 'at', ageSeconds));
        return invalidations + (await pruneOlder(manager, 'dynamic_values', 'touched_at', ageSeconds));
      }),
  };
}

/**
 * Deletes invalidations of entities without a cached value or lock, which cannot make a value valid. Most entities are
 * never read as properties, but each of their changes adds an invalidation.
 */
async function pruneUnread(manager: EntityManager, ageSeconds: number): Promise<number> {
  const [, count] = await manager.query<[unknown[], number]>(
    `DELETE FROM dynamic_invalidations AS mark WHERE at < now() - $1::double precision * interval '1 second'
       AND NOT EXISTS (SELECT 1 FROM dynamic_values AS value WHERE value.kind = mark.kind AND value.entity_id = mark.entity_id)`,
    [ageSeconds],
  );
  return count;
}

function entryOf(row: EntryRow & { failed: boolean }): DynamicEntry {
  const { mark, valueId, text, ageSeconds, fresh, usable, error, errorCode, failed, loading } = row;
  return {
    mark,
    value: valueId === null ? null : { valueId, text, ageSeconds: Math.max(0, ageSeconds), fresh, usable },
    error: failed && error !== null ? { code: errorCode ?? 'failed', message: error } : null,
    loading,
  };
}

import type { JsonObject } from '#libs/domain';
import type { Session } from '../session/session.ts';
import type { LogPosition } from './types.ts';

/** Seconds without a request after which a watcher counts as dead. */
const idleSeconds = 300;

/** Condition on a row of `watchers`: its client is still active. */
export const liveWatcher = `stopped_at IS NULL AND last_seen_at > now() - interval '${idleSeconds} seconds'`;

type StoredWatcher = Omit<Watcher, 'position'> & { epoch: number | null; revno: number | null };

/** Long-poll watchers. Any process may serve any of them. */
export function createWatchers(session: Session, onStopped: Watchers['onStopped']): Watchers {
  return {
    create: ({ id, owner, filter }, limit) =>
      session.write(async (manager) => {
        // Twice the time, because a stopped watcher must stay known as long as a live one.
        await manager.query(`DELETE FROM watchers WHERE last_seen_at < now() - interval '${2 * idleSeconds} seconds'`);
        await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`vigil:watchers:${owner}`]);
        const created = await manager.query<unknown[]>(
          `INSERT INTO watchers (id, owner, filter) SELECT $1, $2, $3
           WHERE (SELECT count(*) FROM watchers WHERE owner = $2 AND ${liveWatcher}) < $4 RETURNING id`,
          [id, owner, filter, limit],
        );
        return created.length > 0;
      }),

    use: (id) =>
      session.writeOnce(async (manager) => {
        const [rows] = await manager.query<[StoredWatcher[], number]>(
          `UPDATE watchers SET last_seen_at = CASE WHEN ${liveWatcher} THEN now() ELSE last_seen_at END WHERE id = $1
           RETURNING id, owner, filter, epoch, revno, page_after AS "pageAfter", paged_until AS "pagedUntil", version,
             NOT (${liveWatcher}) AS "isStopped"`,
          [id],
        );
        const [row] = rows;
        if (!row) return null;
        const { epoch, revno, ...rest } = row;
        return { ...rest, position: epoch === null || revno === null ? null : { epoch, revno } };
      }),

    move: (id, version, { position, pageAfter, pagedUntil }) =>
      session.writeOnce(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE watchers SET epoch = $3, revno = $4, page_after = $5, paged_until = $6, version = version + 1,
             last_seen_at = now()
           WHERE id = $1 AND version = $2 AND stopped_at IS NULL`,
          [id, version, position.epoch, position.revno, pageAfter, pagedUntil],
        );
        return count > 0;
      }),

    stop: (id, owner) =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          'UPDATE watchers SET stopped_at = now() WHERE id = $1 AND owner = $2 AND stopped_at IS NULL',
          [id, owner],
        );
        if (count > 0) await manager.query(`SELECT pg_notify('vigil_watchers', '')`);
      }),

    stopped: (ids) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ id: string }[]>(
          `SELECT requested.id FROM unnest($1::uuid[]) AS requested (id)
           WHERE NOT EXISTS (SELECT FROM watchers WHERE watchers.id = requested.id AND stopped_at IS NULL)`,
          [ids],
        );
        return rows.map(({ id }) => id);
      }),

    count: () =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ count: number }[]>(
          `SELECT count(*) AS count FROM watchers WHERE ${liveWatcher}`,
        );
        return row?.count ?? 0;
      }),

    onStopped,
  };
}

/** A long-poll watcher. Rows that are idle for `idleSeconds` are removed. */
export interface Watcher {
  id: string;
  owner: string;
  filter: JsonObject;
  /** The position of its client. Null before the first response. */
  position: LogPosition | null;
  /** Last entity of the last sent page of the first state. Null when all pages were sent. */
  pageAfter: string | null;
  /** Newest number in the pages of the first state. */
  pagedUntil: number;
  /** Changes with every change of the position. */
  version: number;
  isStopped: boolean;
}

/** Long-poll watchers, which every API process can serve. */
export interface Watchers {
  /** False when the owner already has `limit` watchers. */
  create(watcher: { id: string; owner: string; filter: JsonObject }, limit: number): Promise<boolean>;
  /** Returns the watcher and marks it as used. Null for an unknown watcher. */
  use(id: string): Promise<Watcher | null>;
  /**
   * Stores the sent position. False when the watcher was stopped or another process has changed its position since
   * `version`.
   */
  move(
    id: string,
    version: number,
    to: { position: LogPosition; pageAfter: string | null; pagedUntil: number },
  ): Promise<boolean>;
  /** Stops the watcher. Does nothing for a stopped or unknown watcher. */
  stop(id: string, owner: string): Promise<void>;
  /** Those of `ids` that are stopped or dead. */
  stopped(ids: readonly string[]): Promise<string[]>;
  count(): Promise<number>;
  /** Calls `wake` when any process may have stopped watchers (only a hint). */
  onStopped(wake: () => void): Promise<() => Promise<void>>;
}

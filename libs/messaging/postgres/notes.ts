import type pg from 'pg';
import type { JsonObject } from '#libs/domain';
import type { Notification } from './listener.ts';

/** A request, a reply or a broadcast. */
export interface Note {
  topic: string;
  body: JsonObject;
  /** The bus that waits for the reply. */
  replyTo?: string;
}

/** Bodies of requests, replies and broadcasts: a notification can only contain 8,000 bytes. */
export interface Notes {
  /** Stores the note and notifies all listeners. It expires after `lifeMs`. */
  add(kind: 'request' | 'reply' | 'broadcast', note: Note, lifeMs: number): Promise<void>;
  /** Removes and returns the oldest note. Only one of several callers gets it. */
  take(kind: 'request' | 'reply', topic: string): Promise<Note | null>;
  read(id: number): Promise<JsonObject | null>;
  removeExpired(): Promise<void>;
}

interface NoteRow {
  topic: string;
  body: JsonObject;
  reply_to: string | null;
}

const addSql = `
  WITH added AS (
    INSERT INTO bus_notes (kind, topic, body, reply_to, expires_at)
    VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond') RETURNING id
  )
  SELECT pg_notify($6, jsonb_build_object('kind', $1::text, 'name', $2::text, 'id', id)::text) FROM added`;

const takeSql = `
  DELETE FROM bus_notes WHERE id = (
    SELECT id FROM bus_notes WHERE kind = $1 AND topic = $2 AND expires_at > clock_timestamp()
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING topic, body, reply_to`;

/** Notes in the table `bus_notes`. Listeners are notified on `channel`. */
export function createNotes(pool: pg.Pool, channel: string): Notes {
  return {
    async add(kind, { topic, body, replyTo }, lifeMs) {
      await pool.query(addSql, [kind, topic, JSON.stringify(body), replyTo ?? null, lifeMs, channel]);
    },
    async take(kind, topic) {
      const row = (await pool.query<NoteRow>(takeSql, [kind, topic])).rows[0];
      return row === undefined ? null : { topic: row.topic, body: row.body, replyTo: row.reply_to ?? undefined };
    },
    async read(id) {
      return (await pool.query<NoteRow>('SELECT body FROM bus_notes WHERE id = $1', [id])).rows[0]?.body ?? null;
    },
    async removeExpired() {
      await pool.query('DELETE FROM bus_notes WHERE expires_at < clock_timestamp()');
    },
  };
}

/** Sends a notification that has no note. */
export async function notify(pool: pg.Pool, channel: string, notification: Notification): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(notification)]);
}

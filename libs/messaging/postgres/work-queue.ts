import type pg from 'pg';
import type { JsonObject } from '#libs/domain';
import type { DeadLetter, Envelope } from '../bus.ts';

/** A message that one consumer has claimed. */
export interface ClaimedMessage {
  id: number;
  /** New for every claim: a consumer that lost its claim can no longer settle the message. */
  claim: string;
  envelope: Envelope;
}

/** The statements on the work queues. All times are those of the database. */
export interface WorkQueue {
  /** Stores all or none, and wakes the consumers. */
  add(messages: { queue: string; envelope: Envelope }[]): Promise<void>;
  /** Claims up to `limit` due messages in order of publishing and hides them from others for `visibilityMs`. */
  claim(queue: string, limit: number, claim: string, visibilityMs: number): Promise<ClaimedMessage[]>;
  /** Hides claimed messages for another `visibilityMs`. */
  extend(messages: ClaimedMessage[], visibilityMs: number): Promise<void>;
  remove(message: ClaimedMessage): Promise<void>;
  /** Returns it to the queue for later. `counts`: it was delivered, not only checked. */
  delay(message: ClaimedMessage, delay: { ms: number; counts: boolean }, reason: string): Promise<void>;
  bury(message: ClaimedMessage, reason: string): Promise<void>;
  /** Milliseconds until the next message of the queue is due, 0 when one is. Null when the queue is empty. */
  nextDueMs(queue: string): Promise<number | null>;
  /** Newest first. */
  deadLetters(queuePrefix: string, limit: number): Promise<DeadLetter[]>;
  deadLetter(queuePrefix: string, id: string): Promise<DeadLetter | null>;
  deadLetterCount(queuePrefix: string): Promise<number>;
  /** Moves a dead letter back to its queue without earlier deliveries. Returns false when it does not exist. */
  redrive(id: string): Promise<boolean>;
  /** Returns false when it does not exist. */
  discard(queuePrefix: string, id: string): Promise<boolean>;
}

interface MessageRow {
  id: string;
  queue: string;
  message_id: string;
  type: string;
  body: unknown;
  correlation_id: string | null;
  traceparent: string | null;
  published_at: string;
  deliveries: number;
}

const addSql = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS given (
      position integer, queue text, message_id text, type text, body jsonb, correlation_id text, traceparent text,
      published_at text, deliveries integer)
  ), added AS (
    INSERT INTO bus_messages (queue, message_id, type, body, correlation_id, traceparent, app_id, published_at, deliveries)
    SELECT queue, message_id, type, body, correlation_id, traceparent, $2, published_at, deliveries FROM given ORDER BY position
    RETURNING queue
  )
  SELECT pg_notify($3, jsonb_build_object('kind', 'work', 'name', queue)::text)
  FROM (SELECT DISTINCT queue FROM added) AS queues`;

const claimSql = `
  UPDATE bus_messages AS message
  SET deliveries = deliveries + 1, claim = $3, visible_at = clock_timestamp() + $4 * interval '1 millisecond'
  FROM (
    SELECT id FROM bus_messages WHERE queue = $1 AND visible_at <= clock_timestamp()
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
  ) AS due
  WHERE message.id = due.id
  RETURNING message.*`;

const extendSql = `
  UPDATE bus_messages AS message SET visible_at = clock_timestamp() + $3 * interval '1 millisecond'
  FROM unnest($1::bigint[], $2::uuid[]) AS held (id, claim)
  WHERE message.id = held.id AND message.claim = held.claim`;

const delaySql = `
  UPDATE bus_messages
  SET visible_at = clock_timestamp() + $3 * interval '1 millisecond', claim = NULL, last_reason = $4,
    deliveries = deliveries - CASE WHEN $5 THEN 0 ELSE 1 END
  WHERE id = $1 AND claim = $2`;

const burySql = `
  WITH taken AS (DELETE FROM bus_messages WHERE id = $1 AND claim = $2 RETURNING *)
  INSERT INTO bus_dead_letters (queue, message_id, type, body, correlation_id, traceparent, published_at, deliveries, reason)
  SELECT queue, message_id, type, body, correlation_id, traceparent, published_at, deliveries, $3 FROM taken`;

/**
 * Returns no row without a message: `greatest` would return 0 for a missing minimum, and an idle consumer would poll
 * without pause.
 */
const nextDueSql = `
  SELECT greatest(0, extract(epoch FROM min(visible_at) - clock_timestamp()) * 1000)::float8 AS ms
  FROM bus_messages WHERE queue = $1 HAVING count(*) > 0`;

const deadSql = `
  SELECT *, to_char(dead_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
  FROM bus_dead_letters WHERE starts_with(queue, $1) AND ($3::bigint IS NULL OR id = $3) ORDER BY id DESC LIMIT $2`;

const redriveSql = `
  WITH taken AS (DELETE FROM bus_dead_letters WHERE id = $1 RETURNING *), added AS (
    INSERT INTO bus_messages (queue, message_id, type, body, correlation_id, traceparent, app_id, published_at, deliveries)
    SELECT queue, message_id, type, body, correlation_id, traceparent, $2,
      to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0
    FROM taken RETURNING queue
  )
  SELECT pg_notify($3, jsonb_build_object('kind', 'work', 'name', queue)::text) FROM added`;

const wholeNumber = /^\d{1,18}$/;

/** @param channel on which consumers listen. */
export function createWorkQueue(pool: pg.Pool, options: { channel: string; appId: string }): WorkQueue {
  return {
    async add(messages) {
      const rows = messages.map(({ queue, envelope }, position) => ({
        position,
        queue,
        message_id: envelope.messageId,
        type: envelope.type,
        body: envelope.body,
        correlation_id: envelope.correlationId ?? null,
        traceparent: envelope.traceparent ?? null,
        published_at: envelope.timestamp,
        deliveries: envelope.attempt,
      }));
      await pool.query(addSql, [JSON.stringify(rows), options.appId, options.channel]);
    },
    async claim(queue, limit, claim, visibilityMs) {
      const { rows } = await pool.query<MessageRow>(claimSql, [queue, limit, claim, visibilityMs]);
      return rows.map((row) => ({ id: Number(row.id), claim, envelope: toEnvelope(row) })).sort((a, b) => a.id - b.id);
    },
    async extend(messages, visibilityMs) {
      const ids = messages.map(({ id }) => id);
      const claims = messages.map(({ claim }) => claim);
      await pool.query(extendSql, [ids, claims, visibilityMs]);
    },
    async remove({ id, claim }) {
      await pool.query('DELETE FROM bus_messages WHERE id = $1 AND claim = $2', [id, claim]);
    },
    async delay({ id, claim }, { ms, counts }, reason) {
      await pool.query(delaySql, [id, claim, ms, reason, counts]);
    },
    async bury({ id, claim }, reason) {
      await pool.query(burySql, [id, claim, reason]);
    },
    async nextDueMs(queue) {
      const { rows } = await pool.query<{ ms: number | null }>(nextDueSql, [queue]);
      return rows[0]?.ms ?? null;
    },
    async deadLetters(queuePrefix, limit) {
      const { rows } = await pool.query<DeadRow>(deadSql, [queuePrefix, limit, null]);
      return rows.map(toDeadLetter);
    },
    async deadLetter(queuePrefix, id) {
      if (!wholeNumber.test(id)) return null;
      const { rows } = await pool.query<DeadRow>(deadSql, [queuePrefix, 1, id]);
      return rows.map(toDeadLetter)[0] ?? null;
    },
    async deadLetterCount(queuePrefix) {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM bus_dead_letters WHERE starts_with(queue, $1)',
        [queuePrefix],
      );
      return rows[0]?.count ?? 0;
    },
    async redrive(id) {
      const { rowCount } = await pool.query(redriveSql, [id, options.appId, options.channel]);
      return rowCount === 1;
    },
    async discard(queuePrefix, id) {
      if (!wholeNumber.test(id)) return false;
      const { rowCount } = await pool.query('DELETE FROM bus_dead_letters WHERE starts_with(queue, $1) AND id = $2', [
        queuePrefix,
        id,
      ]);
      return rowCount === 1;
    },
  };
}

type DeadRow = MessageRow & { reason: string; at: string };

function toDeadLetter(row: DeadRow): DeadLetter {
  return { id: row.id, envelope: toEnvelope(row), queue: row.queue, reason: row.reason, at: row.at };
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts any stored row to an envelope. The count includes the current delivery, so there is one earlier delivery
 * less.
 */
function toEnvelope(row: MessageRow): Envelope {
  return {
    messageId: row.message_id,
    type: row.type,
    body: isJsonObject(row.body) ? row.body : { undecodable: JSON.stringify(row.body) },
    correlationId: row.correlation_id,
    traceparent: row.traceparent,
    attempt: Math.max(0, row.deliveries - 1),
    timestamp: row.published_at,
  };
}

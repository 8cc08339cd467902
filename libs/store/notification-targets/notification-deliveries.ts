import {
  type JsonObject,
  moveOf,
  type NotificationDeliveryEvent,
  type NotificationDeliveryState,
  type NotificationKind,
  notificationDeliveryStateTable,
} from '#libs/domain';
import { pruneInBatches, type Session } from '../session/session.ts';

/** The delivery of one event to one target. */
export interface NotificationDelivery {
  id: number;
  /** Sent with every attempt, so that a receiver can drop repeated ones. */
  uuid: string;
  targetId: number;
  targetUuid: string;
  targetName: string;
  eventUuid: string;
  kind: NotificationKind;
  subject: string;
  data: JsonObject;
  /** When the event occurred. */
  eventAt: Date;
  state: NotificationDeliveryState;
  attempts: number;
  nextAttemptAt: Date;
  attemptedAt: Date | null;
  /** HTTP status of the last response. Null without one. */
  statusCode: number | null;
  /** Why the last attempt failed. Null after a success. */
  reason: string | null;
  endedAt: Date | null;
  resentBy: string | null;
  resentAt: Date | null;
  createdAt: Date;
}

/** The result of one attempt. */
export interface AttemptEnd {
  event: 'deliver' | 'retry' | 'giveUp';
  statusCode: number | null;
  reason: string | null;
  /** For `retry`: milliseconds until the next attempt. */
  pauseMs?: number;
}

/** Filter of deliveries. */
export interface DeliveryQuery {
  targetId?: number;
  state?: NotificationDeliveryState;
  /** Only deliveries that are older than the one with this id. */
  before?: number;
  limit: number;
}

/** Deliveries of events to targets. */
export interface NotificationDeliveries {
  /** Newest first. */
  list(query: DeliveryQuery): Promise<NotificationDelivery[]>;
  find(uuid: string): Promise<NotificationDelivery | null>;
  /**
   * Starts attempts of due deliveries, the oldest first. Each attempt is counted, and is due again when its lease has
   * expired. @param places free places by target
   */
  takeDue(places: ReadonlyMap<number, number>, leaseMs: number): Promise<NotificationDelivery[]>;
  /** Ends an attempt. False when another process has started an attempt since then. */
  endAttempt(delivery: Pick<NotificationDelivery, 'id' | 'attempts'>, end: AttemptEnd): Promise<boolean>;
  /** Sends an ended delivery again, with all attempts. False when it has not ended. */
  resend(uuid: string, by: string): Promise<boolean>;
  /** Numbers by state. */
  counts(): Promise<{ state: NotificationDeliveryState; count: number }[]>;
  /** Removes deliveries older than `ageSeconds`, the oldest beyond `maxKept`, and events without deliveries. */
  prune(ageSeconds: number, maxKept: number): Promise<number>;
}

const columns = `delivery.id::float8 AS id, delivery.uuid, delivery.target_id::float8 AS "targetId",
  target.uuid AS "targetUuid", target.name AS "targetName", event.uuid AS "eventUuid", event.kind, event.subject,
  event.data, event.at AS "eventAt", delivery.state, delivery.attempts, delivery.next_attempt_at AS "nextAttemptAt",
  delivery.attempted_at AS "attemptedAt", delivery.status_code AS "statusCode", delivery.reason,
  delivery.ended_at AS "endedAt", delivery.resent_by AS "resentBy", delivery.resent_at AS "resentAt",
  delivery.created_at AS "createdAt"`;
const joined = `notification_events AS event, notification_targets AS target`;
const isJoined = 'event.id = delivery.event_id AND target.id = delivery.target_id';

/** Number of rows that one transaction removes. */
const pruneBatch = 5_000;
/** Minimum retention of an event, a day, during which its repetition is dropped. */
const leastEventSeconds = 86_400;

/** A move of `notificationDeliveryStateTable` as SQL on `notification_deliveries AS delivery`. */
function move(event: NotificationDeliveryEvent): { to: string; from: string } {
  const { from, to } = moveOf(notificationDeliveryStateTable, event);
  return { to: `state = '${to}'`, from: `delivery.state IN (${from.map((state) => `'${state}'`).join(', ')})` };
}

/** Deliveries of events to targets. Times are the database's. */
export function createNotificationDeliveries(session: Session): NotificationDeliveries {
  async function changed(statement: string, values: unknown[]): Promise<boolean> {
    const [, count] = await session.writeOnce((manager) => manager.query<[unknown[], number]>(statement, values));
    return count > 0;
  }

  return {
    list: ({ targetId, state, before, limit }) =>
      session.read((manager) =>
        manager.query<NotificationDelivery[]>(
          `SELECT ${columns} FROM notification_deliveries AS delivery, ${joined} WHERE ${isJoined}
             AND ($1::bigint IS NULL OR delivery.target_id = $1) AND ($2::text IS NULL OR delivery.state = $2)
             AND ($3::bigint IS NULL OR delivery.id < $3)
           ORDER BY delivery.id DESC LIMIT $4`,
          [targetId ?? null, state ?? null, before ?? null, limit],
        ),
      ),

    find: (uuid) =>
      session.read(async (manager) => {
        const rows = await manager.query<NotificationDelivery[]>(
          `SELECT ${columns} FROM notification_deliveries AS delivery, ${joined} WHERE ${isJoined}
             AND delivery.uuid = $1`,
          [uuid],
        );
        return rows[0] ?? null;
      }),

    async takeDue(places, leaseMs) {
      const { from, to } = move('attempt');
      const [rows] = await session.writeOnce((manager) =>
        manager.query<[NotificationDelivery[], number]>(
          `WITH due AS MATERIALIZED (
             SELECT picked.id FROM unnest($1::bigint[], $2::integer[]) AS place (target_id, free), LATERAL (
               SELECT delivery.id FROM notification_deliveries AS delivery
               WHERE delivery.target_id = place.target_id AND ${from} AND delivery.next_attempt_at <= now()
               ORDER BY delivery.next_attempt_at, delivery.id LIMIT place.free FOR UPDATE SKIP LOCKED
             ) AS picked
           )
           UPDATE notification_deliveries AS delivery SET ${to}, attempts = delivery.attempts + 1,
             attempted_at = clock_timestamp(),
             next_attempt_at = clock_timestamp() + $3::double precision * interval '1 millisecond'
           FROM due, ${joined} WHERE delivery.id = due.id AND ${isJoined} RETURNING ${columns}`,
          [[...places.keys()], [...places.values()], leaseMs],
        ),
      );
      return rows.sort((a, b) => a.id - b.id);
    },

    endAttempt({ id, attempts }, { event, statusCode, reason, pauseMs = 0 }) {
      const { from, to } = move(event);
      return session.write(async (manager) => {
        const [rows] = await manager.query<[{ targetId: string }[], number]>(
          `UPDATE notification_deliveries AS delivery SET ${to}, status_code = $3, reason = $4,
             ended_at = CASE WHEN $5 THEN NULL ELSE clock_timestamp() END,
             next_attempt_at = clock_timestamp() + $6::double precision * interval '1 millisecond'
           WHERE delivery.id = $1 AND delivery.attempts = $2 AND ${from} RETURNING target_id AS "targetId"`,
          [id, attempts, statusCode, reason, event === 'retry', pauseMs],
        );
        if (event === 'deliver' && rows[0]) {
          const noted = 'UPDATE notification_targets SET delivered_at = clock_timestamp() WHERE id = $1';
          await manager.query(noted, [rows[0].targetId]);
        }
        return rows.length > 0;
      });
    },

    resend(uuid, by) {
      const { from, to } = move('resend');
      return changed(
        `UPDATE notification_deliveries AS delivery SET ${to}, attempts = 0, next_attempt_at = now(), ended_at = NULL,
           reason = NULL, resent_by = $2, resent_at = now() WHERE delivery.uuid = $1 AND ${from}`,
        [uuid, by],
      );
    },

    counts: () =>
      session.read((manager) =>
        manager.query(
          `SELECT state, count(*)::integer AS count FROM notification_deliveries GROUP BY state ORDER BY state`,
        ),
      ),

    prune: (ageSeconds, maxKept) => prune(session, ageSeconds, maxKept),
  };
}

async function prune(session: Session, ageSeconds: number, maxKept: number): Promise<number> {
  const removed = await pruneInBatches(
    session,
    `DELETE FROM notification_deliveries WHERE id IN (
       SELECT id FROM notification_deliveries
       WHERE created_at < now() - $1::double precision * interval '1 second'
         OR id <= (SELECT id FROM notification_deliveries ORDER BY id DESC OFFSET $3 LIMIT 1)
       ORDER BY id LIMIT $2)`,
    { ageSeconds, batch: pruneBatch, more: [maxKept] },
  );
  await pruneInBatches(
    session,
    `DELETE FROM notification_events WHERE id IN (
       SELECT event.id FROM notification_events AS event
       WHERE event.at < now() - $1::double precision * interval '1 second' AND NOT EXISTS (
         SELECT FROM notification_deliveries AS delivery WHERE delivery.event_id = event.id)
       ORDER BY event.id LIMIT $2)`,
    { ageSeconds: leastEventSeconds, batch: pruneBatch },
  );
  return removed;
}

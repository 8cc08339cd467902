import { randomUUID } from 'node:crypto';
import type { JsonObject, NotificationKind } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** An event that targets are notified of. */
export interface NotificationEvent {
  kind: NotificationKind;
  /** Uuid of the plan, or name of the host. */
  subject: string;
  /** A second event with the same key is dropped while the first one is stored. */
  key: string;
  data: JsonObject;
  /** When it occurred. Default: now. Targets that were created later do not receive it. */
  at?: Date;
}

/** The event of a plan. */
export interface PlanEvent {
  kind: NotificationKind;
  planUuid: string;
  /** A second event of the same kind and plan with the same key is dropped. Default: one event of the kind per plan. */
  key?: string;
  /** Fields that replace the current ones of the plan. Default none. */
  plan?: JsonObject;
  /** Further fields in addition to the plan. Default none. */
  data?: JsonObject;
  at?: Date;
}

/** Events for notification targets, in the transaction of their cause. */
export interface NotificationEvents {
  /**
   * Stores the event with a delivery for each enabled target that receives its kind. @returns the number of deliveries;
   * 0 without such a target, or for a repeated event
   */
  announce(event: NotificationEvent): Promise<number>;
  /** Like `announce`, with the current state of the plan. 0 when the plan does not exist. */
  announcePlan(event: PlanEvent): Promise<number>;
  /** Announces slow machines that the coordinator reported in the last twelve hours. */
  announceSlowMachines(): Promise<void>;
  /** Stores an event for one target only. @returns the uuid of the delivery. Null when the target does not exist */
  announceTo(targetId: number, event: NotificationEvent): Promise<string | null>;
}

/** Events for notification targets. */
export function createNotificationEvents(session: Session): NotificationEvents {
  function store({ kind, subject, key, data, at }: NotificationEvent, targetId: number | null): Promise<string[]> {
    return session.writeOnce(async (manager) => {
      const rows = await manager.query<{ uuid: string }[]>(
        `WITH receiving AS (
           SELECT id FROM notification_targets
           WHERE CASE WHEN $7::bigint IS NOT NULL THEN id = $7 ELSE enabled AND (kinds IS NULL OR $3 = ANY (kinds))
             AND created_at <= coalesce($6::timestamptz, now()) END
           ORDER BY id FOR KEY SHARE
         ), event AS (
           INSERT INTO notification_events (uuid, key, kind, subject, data, at)
           SELECT $1, $2, $3, $4, $5::jsonb, coalesce($6::timestamptz, now()) WHERE EXISTS (SELECT FROM receiving)
           ON CONFLICT (key) DO NOTHING RETURNING id
         )
         INSERT INTO notification_deliveries (uuid, event_id, target_id)
         SELECT gen_random_uuid(), event.id, receiving.id FROM event, receiving RETURNING uuid`,
        [randomUUID(), key, kind, subject, JSON.stringify(data), at ?? null, targetId],
      );
      return rows.map(({ uuid }) => uuid);
    });
  }

  const announce = async (event: NotificationEvent) => (await store(event, null)).length;

  return {
    announce,

    async announcePlan({ kind, planUuid, key = '', plan: former = {}, data = {}, at }) {
      const rows = await session.read((manager) => manager.query<{ doc: JsonObject }[]>(planDoc, [planUuid]));
      const [plan] = rows;
      if (plan === undefined) return 0;
      const doc = { plan: { ...plan.doc, ...former }, ...data };
      const event = { kind, subject: planUuid, key: `${kind}:${planUuid}:${key}`, data: doc };
      return announce(at === undefined ? event : { ...event, at });
    },

    async announceSlowMachines() {
      const rows = await session.read((manager) => manager.query<SlowMachine[]>(slowMachines));
      for (const { id, host, doc, at } of rows) {
        const data = { host, reason: doc.reason ?? null, late: doc.late ?? {}, pressure: doc.pressure ?? null };
        await announce({ kind: 'machine.slow', subject: host, key: `machine.slow:${id}`, data, at });
      }
    },

    async announceTo(targetId, event) {
      const [uuid = null] = await store(event, targetId);
      return uuid;
    },
  };
}

/** The plan as notifications show it. */
const planDoc = `SELECT jsonb_build_object(
    'uuid', plan.uuid, 'state', plan.state, 'status_message', plan.status_message,
    'audit', jsonb_build_object('uuid', audit.uuid, 'name', audit.name),
    'goal', goal.name, 'strategy', strategy.name,
    'actions', (SELECT count(*) FROM actions WHERE actions.action_plan_id = plan.id AND actions.deleted = 0),
    'failed_actions', (SELECT count(*) FROM actions
       WHERE actions.action_plan_id = plan.id AND actions.deleted = 0 AND actions.state = 'FAILED')
  ) AS doc
  FROM action_plans AS plan
    LEFT JOIN audits AS audit ON audit.id = plan.audit_id
    LEFT JOIN goals AS goal ON goal.id = audit.goal_id
    LEFT JOIN strategies AS strategy ON strategy.id = plan.strategy_id
  WHERE plan.uuid = $1`;

interface SlowMachine {
  id: string;
  host: string;
  doc: JsonObject;
  at: Date;
}

/** Reports of the last twelve hours without an event. */
const slowMachines = `SELECT report.id::text AS id, report.host, report.doc, report.at
  FROM service_events AS report
  WHERE report.type = 'host.slow' AND report.at > now() - interval '12 hours' AND NOT EXISTS (
    SELECT FROM notification_events AS event WHERE event.key = 'machine.slow:' || report.id)
  ORDER BY report.id`;

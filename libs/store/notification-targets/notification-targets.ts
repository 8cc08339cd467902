import type { NotificationFormat, NotificationKind } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** Origin of a target: the API, or the configuration of the schedulers. */
export type TargetSource = 'api' | 'configuration';

/** A receiver of notifications, without its secrets. */
export interface NotificationTarget {
  id: number;
  uuid: string;
  name: string;
  source: TargetSource;
  /** The URL without its secret parts. */
  shownUrl: string;
  format: NotificationFormat;
  /** Kinds of events to send. Null: all. */
  kinds: NotificationKind[] | null;
  enabled: boolean;
  createdAt: Date;
  updatedAt: Date | null;
  /** When its secret was last replaced. Null: never. */
  rotatedAt: Date | null;
  /** When it last accepted a notification. Null: never. */
  deliveredAt: Date | null;
  /** Its deliveries by state. */
  pending: number;
  dead: number;
}

/** Values needed to send a notification. */
export interface TargetSecrets {
  url: string;
  /** Key of the signature, as `whsec_<base64>`. */
  secret: string;
  /** Sent as `Authorization: Bearer`. Null: none. */
  bearerToken: string | null;
}

/** Fields of a target that a client sets. */
export type TargetFields = Pick<NotificationTarget, 'name' | 'shownUrl' | 'format' | 'kinds' | 'enabled'>;

/** Receivers of notifications. */
export interface NotificationTargets {
  /** All targets by name, with their numbers of deliveries. */
  list(): Promise<NotificationTarget[]>;
  /** By uuid or name. */
  find(ident: string): Promise<NotificationTarget | null>;
  count(): Promise<number>;
  /**
   * A target of the configuration has no stored secrets.
   * @throws AlreadyExistsError when another one has the name
   */
  insert(target: TargetFields & { uuid: string; source: TargetSource }, secrets: TargetSecrets | null): Promise<void>;
  /**
   * Absent secrets stay unchanged, but a bearer token is never sent to another origin than the original one. @throws
   * AlreadyExistsError
   */
  update(id: number, fields: TargetFields, secrets: Partial<TargetSecrets>): Promise<void>;
  /** Replaces the key of the signature. */
  rotate(id: number, secret: string): Promise<void>;
  /** Also removes its deliveries. */
  remove(id: number): Promise<void>;
  /** Secrets of the enabled targets that were created through the API, by id. Only for the sender. */
  secrets(): Promise<Map<number, TargetSecrets>>;
}

const columns = `target.id::float8 AS id, target.uuid, target.name, target.source, target.shown_url AS "shownUrl",
  target.format, target.kinds, target.enabled, target.created_at AS "createdAt", target.updated_at AS "updatedAt",
  target.rotated_at AS "rotatedAt", target.delivered_at AS "deliveredAt",
  (SELECT count(*) FROM notification_deliveries AS one WHERE one.target_id = target.id AND one.state = 'PENDING')
    ::integer AS pending,
  (SELECT count(*) FROM notification_deliveries AS one WHERE one.target_id = target.id AND one.state = 'DEAD')
    ::integer AS dead`;

/** Scheme, host and port of a URL. */
const origin = (url: string) => `substring(${url} FROM '^[a-z]+://[^/?]+')`;

/** Receivers of notifications. Times are the database's. */
export function createNotificationTargets(session: Session): NotificationTargets {
  async function change(statement: string, values: unknown[]): Promise<void> {
    await session.writeOnce(async (manager) => void (await manager.query(statement, values)));
  }

  return {
    list: () =>
      session.read((manager) =>
        manager.query<NotificationTarget[]>(
          `SELECT ${columns} FROM notification_targets AS target ORDER BY target.name`,
        ),
      ),

    find: (ident) =>
      session.read(async (manager) => {
        const rows = await manager.query<NotificationTarget[]>(
          `SELECT ${columns} FROM notification_targets AS target WHERE target.uuid::text = $1 OR target.name = $1
           ORDER BY target.uuid::text = $1 DESC LIMIT 1`,
          [ident],
        );
        return rows[0] ?? null;
      }),

    count: () =>
      session.read(async (manager) => {
        const rows = await manager.query<{ count: number }[]>(
          'SELECT count(*)::integer AS count FROM notification_targets',
        );
        return rows[0]?.count ?? 0;
      }),

    insert: ({ uuid, name, source, shownUrl, format, kinds, enabled }, secrets) =>
      session.write(async (manager) => {
        const rows = await manager.query<{ id: string }[]>(
          `INSERT INTO notification_targets (uuid, name, source, shown_url, format, kinds, enabled)
           VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
          [uuid, name, source, shownUrl, format, kinds, enabled],
        );
        if (secrets === null) return;
        await manager.query(
          'INSERT INTO notification_secrets (target_id, url, secret, bearer_token) VALUES ($1, $2, $3, $4)',
          [rows[0]?.id, secrets.url, secrets.secret, secrets.bearerToken],
        );
      }),

    update: (id, { name, shownUrl, format, kinds, enabled }, { url, secret, bearerToken }) =>
      session.write(async (manager) => {
        await manager.query(
          `UPDATE notification_targets SET name = $2, shown_url = $3, format = $4, kinds = $5, enabled = $6,
             updated_at = now(), rotated_at = CASE WHEN $7 THEN now() ELSE rotated_at END WHERE id = $1`,
          [id, name, shownUrl, format, kinds, enabled, secret !== undefined],
        );
        await manager.query(
          `UPDATE notification_secrets SET url = coalesce($2, url), secret = coalesce($3, secret),
             bearer_token = CASE WHEN $4 THEN $5
               WHEN $2 IS NULL OR ${origin('$2')} = ${origin('url')} THEN bearer_token END
           WHERE target_id = $1`,
          [id, url ?? null, secret ?? null, bearerToken !== undefined, bearerToken ?? null],
        );
      }),

    rotate: (id, secret) =>
      session.write(async (manager) => {
        await manager.query('UPDATE notification_secrets SET secret = $2 WHERE target_id = $1', [id, secret]);
        await manager.query('UPDATE notification_targets SET rotated_at = now() WHERE id = $1', [id]);
      }),

    remove: (id) => change('DELETE FROM notification_targets WHERE id = $1', [id]),

    secrets: () =>
      session.read(async (manager) => {
        const rows = await manager.query<(TargetSecrets & { id: number })[]>(
          `SELECT secrets.target_id::float8 AS id, secrets.url, secrets.secret, secrets.bearer_token AS "bearerToken"
           FROM notification_secrets AS secrets
             JOIN notification_targets AS target ON target.id = secrets.target_id AND target.enabled`,
        );
        return new Map(rows.map(({ id, ...secrets }) => [id, secrets]));
      }),
  };
}

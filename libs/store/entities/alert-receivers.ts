import type { AlertLabels } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** How an EVENT audit receives notifications of alerts. */
export interface AlertReceiver {
  /** Digest of the token. The token is not stored. */
  tokenHash: string;
  labels: AlertLabels;
  /** Seconds after its last run during which a group of alerts starts no further run. */
  repeatSeconds: number;
  createdAt: Date;
  /** Time of the last rotation of the token. Null: never. */
  rotatedAt: Date | null;
  /** Null while the token is valid. */
  revokedAt: Date | null;
  /** Time of the last notification with the token. Null: never. */
  usedAt: Date | null;
}

/** Tokens and settings for alerts, at most one per audit. */
export interface AlertReceivers {
  find(auditId: number): Promise<AlertReceiver | null>;
  /** Creates a token, also after a revocation. False when the audit has a valid token. */
  create(auditId: number, receiver: Pick<AlertReceiver, 'tokenHash' | 'labels' | 'repeatSeconds'>): Promise<boolean>;
  /** Changes the settings. False without a valid token. */
  change(auditId: number, settings: Partial<Pick<AlertReceiver, 'labels' | 'repeatSeconds'>>): Promise<boolean>;
  /** Replaces the token. False without a valid token. */
  rotate(auditId: number, tokenHash: string): Promise<boolean>;
  /** Revokes the token and removes the queued run. False without a valid token. */
  revoke(auditId: number): Promise<boolean>;
  /** Records the arrival of a notification. */
  noteUse(auditId: number): Promise<void>;
}

const columns = `token_hash AS "tokenHash", labels, repeat_seconds AS "repeatSeconds", created_at AS "createdAt",
  rotated_at AS "rotatedAt", revoked_at AS "revokedAt", used_at AS "usedAt"`;

/** Tokens and settings for alerts. Times are the database's. */
export function createAlertReceivers(session: Session): AlertReceivers {
  function changeValid(assignment: string, auditId: number, values: unknown[]): Promise<boolean> {
    return session.write(async (manager) => {
      const [, count] = await manager.query<[unknown[], number]>(
        `UPDATE alert_receivers SET ${assignment} WHERE audit_id = $1 AND revoked_at IS NULL`,
        [auditId, ...values],
      );
      return count > 0;
    });
  }

  return {
    find: (auditId) =>
      session.read(async (manager) => {
        const rows = await manager.query<AlertReceiver[]>(
          `SELECT ${columns} FROM alert_receivers WHERE audit_id = $1`,
          [auditId],
        );
        return rows[0] ?? null;
      }),

    create: (auditId, { tokenHash, labels, repeatSeconds }) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          `INSERT INTO alert_receivers AS receiver (audit_id, token_hash, labels, repeat_seconds)
           VALUES ($1, $2, $3, $4)
           ON CONFLICT (audit_id) DO UPDATE SET token_hash = excluded.token_hash, labels = excluded.labels,
             repeat_seconds = excluded.repeat_seconds, created_at = now(), rotated_at = NULL, revoked_at = NULL,
             used_at = NULL
           WHERE receiver.revoked_at IS NOT NULL RETURNING audit_id`,
          [auditId, tokenHash, JSON.stringify(labels), repeatSeconds],
        );
        return rows.length > 0;
      }),

    change: (auditId, { labels, repeatSeconds }) =>
      changeValid(
        'labels = coalesce($2::jsonb, labels), repeat_seconds = coalesce($3::integer, repeat_seconds)',
        auditId,
        [labels === undefined ? null : JSON.stringify(labels), repeatSeconds ?? null],
      ),

    rotate: (auditId, tokenHash) => changeValid('token_hash = $2, rotated_at = now()', auditId, [tokenHash]),

    revoke: (auditId) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM alert_runs WHERE audit_id = $1 AND started_at IS NULL', [auditId]);
        const [, count] = await manager.query<[unknown[], number]>(
          'UPDATE alert_receivers SET revoked_at = now() WHERE audit_id = $1 AND revoked_at IS NULL',
          [auditId],
        );
        return count > 0;
      }),

    noteUse: (auditId) =>
      session.write(async (manager) => {
        await manager.query('UPDATE alert_receivers SET used_at = now() WHERE audit_id = $1', [auditId]);
      }),
  };
}

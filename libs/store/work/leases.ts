import type { Session } from '../session/session.ts';

/** Named leases. A holder that acquires again while its lease is valid keeps its fencing number. */
export function createLeases(session: Session): Leases {
  return {
    acquire: (resource, holder, ttlMs) =>
      session.write(async (manager) => {
        const rows = await manager.query<{ fence: number }[]>(
          `INSERT INTO leases AS held (resource, holder, fence, expires_at)
           VALUES ($1, $2, nextval('fence_seq'), now() + $3::double precision * interval '1 millisecond')
           ON CONFLICT (resource) DO UPDATE SET
             holder = excluded.holder,
             fence = CASE WHEN held.holder = excluded.holder AND held.expires_at > now()
               THEN held.fence ELSE excluded.fence END,
             expires_at = excluded.expires_at
           WHERE held.holder = excluded.holder OR held.expires_at <= now()
           RETURNING fence`,
          [resource, holder, ttlMs],
        );
        return rows[0] ? { fence: rows[0].fence } : null;
      }),

    renew: (resource, fence, ttlMs) =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE leases SET expires_at = now() + $3::double precision * interval '1 millisecond'
           WHERE resource = $1 AND fence = $2`,
          [resource, fence, ttlMs],
        );
        return count > 0;
      }),

    release: (resource, fence) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM leases WHERE resource = $1 AND fence = $2', [resource, fence]);
      }),

    confirm: (resource, fence) =>
      session.write(async (manager) => {
        const rows = await manager.query<unknown[]>(
          'SELECT 1 FROM leases WHERE resource = $1 AND fence = $2 AND expires_at > clock_timestamp() FOR SHARE',
          [resource, fence],
        );
        return rows.length > 0;
      }),
  };
}

/** A lease taken together with a state change. */
export interface LeaseRequest {
  /** Registry id of the process. */
  instance: string;
  /** Value for the row's `hostname`. */
  host: string;
  ttlMs: number;
}

/** Named leases for work that only one process may do, such as `leader:decision-engine`. */
export interface Leases {
  /** Claims or renews. Null while another holder's lease is valid. */
  acquire(resource: string, holder: string, ttlMs: number): Promise<{ fence: number } | null>;
  renew(resource: string, fence: number, ttlMs: number): Promise<boolean>;
  release(resource: string, fence: number): Promise<void>;
  /**
   * Whether the lease is valid under `fence`. In a transaction, no other process can take the lease before that ends.
   */
  confirm(resource: string, fence: number): Promise<boolean>;
}

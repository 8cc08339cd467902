import { NotFoundError } from '#libs/domain';
import type { ListQuery } from '../list-query.ts';
import { createReader } from '../reading/reader.ts';
import { serviceView } from '../reading/views.ts';
import type { ServiceRow } from '../schemas/catalogue-schemas.ts';
import type { Session } from '../session/session.ts';
import type { ServiceView } from '../types.ts';

/** Heartbeats, and reads of the services that send them. */
export function createServiceRepository(session: Session): ServiceRepository {
  const reader = createReader<ServiceRow, ServiceView & ServiceRow>(session, serviceView);

  const find: ServiceRepository['find'] = async (ident, options) => {
    const [first] = await reader.list({ filters: [{ field: 'name', value: ident }], limit: 1 });
    return first ?? reader.find(ident, options);
  };

  return {
    beat: (name, host) =>
      session.write(async (manager) => {
        await manager.query(
          `WITH known AS (
             UPDATE services SET deleted = 0, deleted_at = NULL, last_seen_up = now()
             WHERE id = (SELECT id FROM services WHERE name = $1 AND host = $2 ORDER BY deleted = 0 DESC, id DESC LIMIT 1)
             RETURNING id
           )
           INSERT INTO services (name, host, last_seen_up) SELECT $1, $2, now() WHERE NOT EXISTS (SELECT 1 FROM known)
           ON CONFLICT (name, host) WHERE deleted = 0 DO UPDATE SET last_seen_up = now()`,
          [name, host],
        );
      }),
    find,
    async get(ident) {
      const found = await find(ident);
      if (!found) throw new NotFoundError('Service', ident);
      return found;
    },
    list: (query) => reader.list(query),
  };
}

/** Heartbeats of Watcher's `services` table. */
export interface ServiceRepository {
  /** Writes `last_seen_up` by database time. The first beat creates the row, also after the row was removed. */
  beat(name: string, host: string): Promise<void>;
  /** By id or name. If several services have the name, a live one has precedence, then the oldest. */
  find(ident: string, options?: { showDeleted?: boolean }): Promise<ServiceView | null>;
  /** As `find`. @throws NotFoundError */
  get(ident: string): Promise<ServiceView>;
  list(query?: ListQuery<ServiceView>): Promise<ServiceView[]>;
}

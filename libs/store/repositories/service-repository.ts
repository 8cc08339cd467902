import { NotFoundError } from '#libs/domain';
import { createReader } from '../reading/reader.ts';
import { serviceView } from '../reading/views.ts';
import type { ServiceRow } from '../schemas/service-schema.ts';
import type { Session } from '../session/session.ts';
import type { ServiceRepository, ServiceView } from '../work-contract.ts';

/** Heartbeats. `get` takes an id or a name; of several services with the name the one added last is answered. */
export function createServiceRepository(session: Session): ServiceRepository {
  const reader = createReader<ServiceRow, ServiceView & ServiceRow>(session, serviceView);
  return {
    beat: (name, host) =>
      session.write(async (manager) => {
        await manager.query(
          `INSERT INTO services (name, host, last_seen_up) VALUES ($1, $2, now())
           ON CONFLICT (name, host) WHERE deleted = 0 DO UPDATE SET last_seen_up = now()`,
          [name, host],
        );
      }),
    async get(ident) {
      const found = await reader.find(ident);
      if (!found) throw new NotFoundError('Service', ident);
      return found;
    },
    list: (query) => reader.list(query),
  };
}

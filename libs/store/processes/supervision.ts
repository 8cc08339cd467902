import type { Session } from '../session/session.ts';
import type { ServiceRegistry } from './types.ts';

/** Names of the leases that show that a service of a host can be started on request. */
function supervisionsOf(host: string, serviceNames: readonly string[]): string[] {
  return serviceNames.map((serviceName) => `supervisor:${serviceName}@${host}`);
}

/** Records which services of a host a process can start on request. */
export function createSupervision(
  session: Session,
): Pick<ServiceRegistry, 'supervise' | 'endSupervision' | 'isSupervised'> {
  return {
    // Leases, because they expire and are visible in the graph.
    supervise: (host, serviceNames, { name, ttlMs }) =>
      session.write(async (manager) => {
        await manager.query(
          `INSERT INTO leases (resource, holder, fence, expires_at)
           SELECT resource, $2, nextval('fence_seq'), now() + $3::double precision * interval '1 millisecond'
           FROM unnest($1::text[]) AS resource
           ON CONFLICT (resource) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
          [supervisionsOf(host, serviceNames), `${name}@${host}`, ttlMs],
        );
      }),

    endSupervision: (host, serviceNames) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM leases WHERE resource = ANY($1)', [supervisionsOf(host, serviceNames)]);
      }),

    isSupervised: (serviceName, host) =>
      session.read(async (manager) => {
        const rows = await manager.query<unknown[]>(
          'SELECT 1 FROM leases WHERE resource = ANY($1) AND expires_at > now()',
          [supervisionsOf(host, [serviceName])],
        );
        return rows.length > 0;
      }),
  };
}

import type { Logger } from '#libs/domain';
import type { Store } from '#libs/store';

/** The facts that decide whether an ended process is restarted. */
export interface RestartPermissionDeps {
  store: Pick<Store, 'db'>;
  /** Host in the registry. */
  hostId: string;
  /** Name in the registry. Null for an unregistered process, which may always start. */
  serviceName: string | null;
  logger: Logger;
}

/**
 * Returns whether a process may be restarted: not after a stop request, nor in a restart storm according to the
 * registry. A start or restart request lifts both. The reason is logged once.
 */
export function createRestartPermission(deps: RestartPermissionDeps): () => Promise<boolean> {
  const { serviceName, logger } = deps;
  let logged: string | null = null;
  return async () => {
    const reason = serviceName === null ? null : await objection(deps, serviceName);
    if (reason !== null && reason !== logged) logger.warn({ service: serviceName }, reason);
    logged = reason;
    return reason === null;
  };
}

async function objection({ store, hostId }: RestartPermissionDeps, serviceName: string): Promise<string | null> {
  const { registry } = store.db;
  try {
    const request = await registry.newestRequest(serviceName, hostId);
    if (request?.kind === 'stop' && request.state !== 'CANCELLED') {
      return 'stopped on request: restarts when a start is requested';
    }
    const rows = await registry.matrix();
    const isDegraded = rows.some((row) => row.degraded && row.host === hostId && row.serviceName === serviceName);
    return isDegraded ? 'in a restart storm: restarts when the storm ends or a start is requested' : null;
  } catch {
    // The permission is unknown: a process that cannot reach the database reports that itself.
    return null;
  }
}

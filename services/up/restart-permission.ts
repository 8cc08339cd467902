import type { Logger } from '#libs/domain';
import type { Store } from '#libs/store';

/** The facts that decide whether an ended process is restarted. */
export interface RestartPermissionDeps {
  store: Pick<Store, 'db'>;
  /** Host in the registry. */
  hostId: string;
  /** Name in the registry. Null for a process that is not in it and may always start. */
  serviceName: string | null;
  logger: Logger;
}

/**
 * Returns whether a process may be restarted: not while the newest request is a stop, nor while the
 * registry says that it does nothing but start, until somebody requests a start or restart. The reason is logged once.
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
      return 'stopped on request: started again when a start is asked for';
    }
    const rows = await registry.matrix();
    const isDegraded = rows.some((row) => row.degraded && row.host === hostId && row.serviceName === serviceName);
    return isDegraded ? 'a restart storm: not started again until it is calm or a start is asked for' : null;
  } catch {
    // Whether it may is not known: a process that finds no database says so itself.
    return null;
  }
}

import { readNovaEvent } from '#libs/cluster-model';
import { type JsonObject, type Logger, messageOf } from '#libs/domain';
import type { Store } from '#libs/store';

/** An entity with cached properties. */
interface ChangedEntity {
  kind: 'server' | 'host';
  id: string;
}

/** Notifications within this time, in milliseconds, cause one statement. */
const gatherMs = 100;
/** Entities that wait while the database is unavailable. Values expire after a few seconds without it. */
const mostWaiting = 10_000;

/** Invalidates cached properties of changed servers and hosts. */
export interface PropertyOutdater {
  /** Takes a notification of Nova. Never throws. */
  onNotification(message: JsonObject): void;
  /** Writes the waiting invalidations. */
  stop(): Promise<void>;
}

/** Creates an outdater whose statements run sequentially. A failed statement is logged and dropped. */
export function createPropertyOutdater({
  store,
  logger,
}: {
  store: Pick<Store, 'dynamicValues'>;
  logger: Logger;
}): PropertyOutdater {
  const waiting = new Map<string, ChangedEntity>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const entities = [...waiting.values()];
    waiting.clear();
    if (entities.length === 0) return;
    await store.dynamicValues.invalidateKept(entities).catch((error: unknown) => {
      logger.info({ entities: entities.length, error: messageOf(error) }, 'cannot invalidate cached properties');
    });
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  return {
    onNotification(message) {
      const entity = entityOf(message);
      if (entity === null || waiting.size >= mostWaiting) return;
      waiting.set(`${entity.kind} ${entity.id}`, entity);
      timer ??= setTimeout(() => void flush(), gatherMs);
    },
    stop: flush,
  };
}

/** The server of an `instance.*` event, or the host of a `service.*` event of a compute service. */
function entityOf(message: JsonObject): ChangedEntity | null {
  const event = readNovaEvent(message);
  if (event === null) return null;
  const { eventType, payload } = event;
  if (eventType.startsWith('instance.') && typeof payload.uuid === 'string')
    return { kind: 'server', id: payload.uuid };
  const isCompute = eventType.startsWith('service.') && payload.binary === 'nova-compute';
  return isCompute && typeof payload.host === 'string' ? { kind: 'host', id: payload.host } : null;
}

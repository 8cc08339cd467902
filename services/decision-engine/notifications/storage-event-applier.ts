import { applyCinderEvent, readCinderEvent, type StorageSnapshot } from '#libs/cluster-model';
import type { JsonObject, Logger } from '#libs/domain';

/**
 * Applies notifications of Cinder to the storage model.
 * @returns a function that returns the changed model, or null when it must be collected again.
 */
export function createStorageEventApplier({
  logger,
  onResult,
}: {
  logger: Logger;
  onResult(result: string): void;
}): (snapshot: StorageSnapshot, message: JsonObject) => StorageSnapshot | null {
  return (snapshot, message) => {
    const event = readCinderEvent(message);
    if (event === null) return snapshot;
    const result = applyCinderEvent(snapshot, event);
    onResult(result.kind);
    if (result.kind === 'resync') {
      const { reason } = result;
      logger.info({ event: event.eventType, reason }, 'event causes a new collection of the storage model');
      return null;
    }
    return result.kind === 'applied' ? result.snapshot : snapshot;
  };
}

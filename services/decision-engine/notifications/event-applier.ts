import {
  applyNovaEvent,
  applyPortNeeds,
  busyInstances,
  type ComputeSnapshot,
  type EventResult,
  readNovaEvent,
} from '#libs/cluster-model';
import type { JsonObject, Logger } from '#libs/domain';
import type { PortReader } from '../collectors/port-reader.ts';

/**
 * Applies notifications to the model sequentially.
 * @returns a function that returns the changed model, or null when it must be collected again.
 */
export function createEventApplier({
  logger,
  onResult,
  ports,
}: {
  logger: Logger;
  onResult(result: EventResult['kind']): void;
  /** Knows the ports of new instances, which Nova's events lack. Default: no port restricts them. */
  ports?: Pick<PortReader, 'needOf'>;
}): (snapshot: ComputeSnapshot, message: JsonObject) => ComputeSnapshot | null {
  // From the collected model: Placement may count these on two hosts.
  let busy = { takenAtMs: Number.NaN, uuids: new Set<string>() };

  return (snapshot, message) => {
    const event = readNovaEvent(message);
    if (event === null) return snapshot;
    if (busy.takenAtMs !== snapshot.takenAtMs) busy = { takenAtMs: snapshot.takenAtMs, uuids: busyInstances(snapshot) };
    const result = settled(snapshot, applyNovaEvent(snapshot, event), busy.uuids, String(event.payload.uuid));
    onResult(result.kind);
    if (result.kind === 'resync') {
      logger.info({ event: event.eventType, reason: result.reason }, 'event causes a new collection of the model');
      return null;
    }
    if (result.kind !== 'applied') return snapshot;
    const { uuid } = event.payload;
    if (ports === undefined || typeof uuid !== 'string') return result.snapshot;
    return applyPortNeeds(result.snapshot, new Map([[uuid, ports.needOf(uuid)]]));
  };
}

function settled(before: ComputeSnapshot, result: EventResult, busy: ReadonlySet<string>, uuid: string): EventResult {
  const changesUse = result.kind === 'applied' && result.snapshot.hosts !== before.hosts;
  if (!changesUse || !busy.has(uuid)) return result;
  return { kind: 'resync', reason: `instance ${uuid} was on its way when the model was collected` };
}

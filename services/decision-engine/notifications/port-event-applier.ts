import { applyPortNeeds, type ComputeSnapshot, readNeutronEvent } from '#libs/cluster-model';
import type { JsonObject, Logger } from '#libs/domain';
import type { PortReader } from '../collectors/port-reader.ts';

/**
 * Applies notifications of Neutron about ports to the list of ports and to the compute model.
 * @returns a function that returns the changed model, or null when it must be collected again.
 */
export function createPortEventApplier({
  ports,
  logger,
  onResult,
}: {
  ports: Pick<PortReader, 'change'>;
  logger: Logger;
  onResult(result: string): void;
}): (snapshot: ComputeSnapshot, message: JsonObject) => ComputeSnapshot | null {
  return (snapshot, message) => {
    const event = readNeutronEvent(message);
    if (event === null) return snapshot;
    const needs = ports.change(event);
    if (needs === null) {
      onResult('resync');
      const [port] = event.ports;
      logger.info({ event: event.eventType, port: port?.id }, 'event causes a new collection of the model');
      return null;
    }
    const next = applyPortNeeds(snapshot, needs);
    onResult(next === snapshot ? 'ignored' : 'applied');
    return next;
  };
}

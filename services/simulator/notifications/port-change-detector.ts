import type { CloudState } from '../cloud/entities.ts';
import { portView } from '../routes/network/network-routes.ts';
import type { SimulatedEvent } from './change-detector.ts';

const publisher = 'network.controller';

/**
 * Creates a function that returns the changes of ports since its last call, in the form of Neutron for requests of
 * administrators: the whole port after its creation and each change, only its id after its deletion.
 */
export function createPortChangeDetector(state: CloudState): () => SimulatedEvent[] {
  let ports = describePorts(state);
  return () => {
    const now = describePorts(state);
    const events = [
      ...[...now].flatMap(([id, { text, port }]) => {
        const before = ports.get(id);
        if (before?.text === text) return [];
        const eventType = before === undefined ? 'port.create.end' : 'port.update.end';
        return [{ eventType, publisher, payload: { port } }];
      }),
      ...[...ports.keys()]
        .filter((id) => !now.has(id))
        .map((id) => ({ eventType: 'port.delete.end', publisher, payload: { port_id: id } })),
    ];
    ports = now;
    return events;
  };
}

interface PortNote {
  /** Differs when anything except the revision changes. */
  text: string;
  port: Record<string, unknown>;
}

function describePorts(state: CloudState): Map<string, PortNote> {
  const notes = [...state.servers.values()].flatMap((server) =>
    server.ports.map((port): [string, PortNote] => {
      const view = portView(port, server);
      return [port.id, { text: JSON.stringify({ ...view, revision_number: 0 }), port: view }];
    }),
  );
  return new Map(notes);
}

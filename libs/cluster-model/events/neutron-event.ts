import type { ServerPort } from '#libs/openstack';
import type { ComputeSnapshot, InstanceInfo, PortNeed } from '../compute-snapshot.ts';

/** A port as a notification describes it. */
export interface ReportedPort {
  id: string;
  /** Uuid of its server. Null without one. */
  serverUuid: string | null;
  revision: number | null;
  /** Null when the notification lacks it: the user of the request may not see every field. */
  vnicType: string | null;
  /** Null when the notification lacks it. */
  hasResourceRequest: boolean | null;
}

/** Ports that exist after a request to Neutron, and the id of a deleted one. */
export interface NeutronEvent {
  eventType: string;
  ports: ReportedPort[];
  deleted: string | null;
}

type Fields = Record<string, unknown>;

const presentEvents = new Set(['port.create.end', 'port.update.end']);
/** Start of the owner of ports that Nova attached. */
const computeOwner = 'compute:';

/** Reads a notification of Neutron (the content of `oslo.message`). Null when it does not concern ports. */
export function readNeutronEvent({ event_type: eventType, payload }: Fields): NeutronEvent | null {
  if (typeof eventType !== 'string' || !isObject(payload)) return null;
  if (eventType === 'port.delete.end') {
    return typeof payload.port_id === 'string' ? { eventType, ports: [], deleted: payload.port_id } : null;
  }
  if (!presentEvents.has(eventType)) return null;
  // A request may create several ports.
  const listed = Array.isArray(payload.ports) ? payload.ports : [payload.port];
  const ports = listed.filter(isObject).flatMap((port) => reportedPort(port) ?? []);
  return ports.length === 0 ? null : { eventType, ports, deleted: null };
}

function reportedPort(port: Fields): ReportedPort | null {
  const { id, device_id: device, device_owner: owner, revision_number: revision } = port;
  if (typeof id !== 'string') return null;
  const vnicType = port['binding:vnic_type'];
  const isOfServer = typeof device === 'string' && device !== '' && String(owner).startsWith(computeOwner);
  return {
    id,
    serverUuid: isOfServer ? device : null,
    revision: typeof revision === 'number' ? revision : null,
    vnicType: typeof vnicType === 'string' ? vnicType : null,
    hasResourceRequest: 'resource_request' in port ? isObject(port.resource_request) : null,
  };
}

/**
 * A reported port with the missing facts of the known one.
 * @returns null when a fact stays unknown.
 */
export function completePort(port: ReportedPort, serverUuid: string, known: ServerPort | undefined): ServerPort | null {
  const vnicType = port.vnicType ?? known?.vnicType ?? null;
  const hasResourceRequest = port.hasResourceRequest ?? known?.hasResourceRequest ?? null;
  if (vnicType === null || hasResourceRequest === null) return null;
  return { id: port.id, revision: port.revision, serverUuid, vnicType, hasResourceRequest };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Sets the needs of network ports of instances. Pure: the given snapshot stays unchanged.
 * @param needs by uuid of an instance, undefined when no port restricts it. Unknown instances are ignored.
 * @returns the same snapshot when nothing changes.
 */
export function applyPortNeeds(
  snapshot: ComputeSnapshot,
  needs: ReadonlyMap<string, PortNeed | undefined>,
): ComputeSnapshot {
  const isChanged = ({ uuid, ports }: InstanceInfo) => needs.has(uuid) && needs.get(uuid) !== ports;
  if (!snapshot.instanceInfo.some(isChanged)) return snapshot;
  const instanceInfo = snapshot.instanceInfo.map((info) => {
    if (!isChanged(info)) return info;
    const { ports: _former, ...rest } = info;
    const need = needs.get(info.uuid);
    return need === undefined ? rest : { ...rest, ports: need };
  });
  return { ...snapshot, instanceInfo };
}

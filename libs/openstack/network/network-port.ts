import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import { readAllPages } from '../service/paged-list.ts';
import type { ServiceClient } from '../service/service-client.ts';

/** Neutron has no microversions to request. */
const versions = { min: '2.0', max: '2.0' };

/** The requested fields. A port has many more. */
const fields = ['id', 'device_id', 'device_owner', 'binding:vnic_type', 'resource_request', 'revision_number'];

/** Prefix of the owner of ports that Nova attached. The zone of the server follows. */
const computeOwner = 'compute:';

/** A port of Neutron that is attached to a server. */
export interface ServerPort {
  id: string;
  /** Increases with each change of the port. Null if Neutron does not report it. */
  revision: number | null;
  serverUuid: string;
  /** Kind of its network device, such as `normal` or `direct`. Null where the credentials do not show it. */
  vnicType: string | null;
  /** Whether Placement allocates resources for it, such as bandwidth. */
  hasResourceRequest: boolean;
}

/** Options of a list of ports. */
export interface PortListOptions extends CloudCallOptions {
  /** Called after each page, so that a limit need not count for the whole list. */
  onPage?: () => void;
}

/** Neutron, for reading. */
export interface NetworkPort {
  /** The ports of the servers of all projects. */
  listServerPorts(options?: PortListOptions): Promise<ServerPort[]>;
}

/** Neutron behind the port. */
export function createNetworkPort(client: ServiceClient): NetworkPort {
  return {
    async listServerPorts({ onPage, ...options }: PortListOptions = {}) {
      // Neutron filters owners only by the complete text, and the zone of a server may have been renamed.
      const call = { path: '/ports', key: 'ports', query: { fields }, versions, options, onPage };
      const ports = await readAllPages(client, call, parsePort);
      return ports.filter((port) => port !== null);
    },
  };
}

/** Null: no port of a server. */
function parsePort(port: FieldReader): ServerPort | null {
  if (!port.textOr('device_owner', '').startsWith(computeOwner)) return null;
  return {
    id: port.text('id'),
    revision: port.optionalNumber('revision_number'),
    serverUuid: port.textOr('device_id', ''),
    vnicType: port.optionalText('binding:vnic_type'),
    hasResourceRequest: port.optionalObject('resource_request') !== null,
  };
}

import type { ServiceClient } from '../service/service-client.ts';
import { getNode, listNodes } from './nodes.ts';
import type { BaremetalPort } from './types.ts';

/** A node's name is part of its address from 1.5 on; all of these take the same power targets. */
const powerVersions = { min: '1.5', max: '1.58' };

/** Ironic behind the port. */
export function createBaremetalPort(client: ServiceClient): BaremetalPort {
  return {
    listNodes: (options) => listNodes(client, options),
    getNode: (id, options) => getNode(client, id, options),
    async setPowerState(id, target, options) {
      const path = `/nodes/${encodeURIComponent(id)}/states/power`;
      await client.send({ method: 'PUT', path, body: { target }, versions: powerVersions, options });
    },
  };
}

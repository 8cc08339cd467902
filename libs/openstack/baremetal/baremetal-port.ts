import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { BaremetalNode, BaremetalPort } from './types.ts';

/** First version in which the caller can select the fields. */
const versions = { min: '1.8', max: '1.58' };

const fieldNames =
  'uuid,name,power_state,target_power_state,provision_state,maintenance,maintenance_reason,last_error,extra';
/** For single nodes only, because the notes of a driver may be long. */
const fieldNamesOfOne = `${fieldNames},driver_internal_info`;

/** All nodes, following the `next` link of each page. */
async function listNodes(client: ServiceClient, options?: CloudCallOptions): Promise<BaremetalNode[]> {
  const found = new Map<string, BaremetalNode>();
  let marker: string | null = null;
  do {
    const query: Record<string, string> = { fields: fieldNames, ...(marker === null ? {} : { marker }) };
    const page = await client.read({ method: 'GET', path: '/nodes', query, versions, options });
    const before = found.size;
    const nodes = page.list('nodes').map(parseNode);
    for (const node of nodes) found.set(node.uuid, node);
    const goesOn = page.optionalText('next') !== null && found.size > before;
    marker = goesOn ? (nodes.at(-1)?.uuid ?? null) : null;
  } while (marker !== null);
  return [...found.values()];
}

/** One node by uuid or name, or null on Ironic's 404. */
async function getNode(client: ServiceClient, id: string, options?: CloudCallOptions): Promise<BaremetalNode | null> {
  const path = `/nodes/${encodeURIComponent(id)}`;
  const response = await client.find({ method: 'GET', path, query: { fields: fieldNamesOfOne }, versions, options });
  return response === null ? null : parseNode(response);
}

function parseNode(fields: FieldReader): BaremetalNode {
  const extra = fields.textMap('extra');
  return {
    uuid: fields.text('uuid'),
    name: fields.optionalText('name'),
    powerState: fields.optionalText('power_state'),
    targetPowerState: fields.optionalText('target_power_state'),
    provisionState: fields.optionalText('provision_state'),
    maintenance: fields.booleanOr('maintenance', false),
    maintenanceReason: fields.optionalText('maintenance_reason'),
    lastError: fields.optionalText('last_error'),
    powerChangedAt: powerChangeOf(fields.raw('driver_internal_info')),
    computeNodeId: extra.compute_node_id || null,
    extra,
  };
}

/** For users without the right to read the notes of a driver, Ironic replaces them with a text. */
function powerChangeOf(notes: unknown): string | null {
  const at =
    typeof notes === 'object' && notes !== null && 'last_power_state_change' in notes && notes.last_power_state_change;
  return typeof at === 'string' ? at : null;
}

/** From 1.5 on, a path can contain the name of a node. All of these versions accept the same power targets. */
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

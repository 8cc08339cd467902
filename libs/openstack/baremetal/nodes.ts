import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { BaremetalNode } from './types.ts';

/** 1.8 is the first that lets the caller choose the fields. */
const versions = { min: '1.8', max: '1.58' };

const fieldNames =
  'uuid,name,power_state,target_power_state,provision_state,maintenance,maintenance_reason,last_error,extra';

/** All nodes, following the `next` link of each page. */
export async function listNodes(client: ServiceClient, options?: CloudCallOptions): Promise<BaremetalNode[]> {
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

/** One node by uuid or name, or null when Ironic answers 404. */
export async function getNode(
  client: ServiceClient,
  id: string,
  options?: CloudCallOptions,
): Promise<BaremetalNode | null> {
  const path = `/nodes/${encodeURIComponent(id)}`;
  const answer = await client.find({ method: 'GET', path, query: { fields: fieldNames }, versions, options });
  return answer === null ? null : parseNode(answer);
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
    computeNodeId: extra.compute_node_id || null,
    extra,
  };
}

import type { SimulatedNode } from '../../cloud/entities.ts';
import { microTime } from '../timestamps.ts';

/** A node as a list shows it by default. */
export function nodeSummary(node: SimulatedNode, origin: string): object {
  return nodeView(node, origin, 'uuid,name,instance_uuid,power_state,provision_state,maintenance,links');
}

/** A node, cut down to `fields` (separated by commas) when given. */
export function nodeView(node: SimulatedNode, origin: string, fields?: string): object {
  const whole: Record<string, unknown> = {
    uuid: node.uuid,
    name: node.name,
    instance_uuid: null,
    power_state: node.powerState,
    target_power_state: node.targetPowerState,
    provision_state: 'active',
    target_provision_state: null,
    maintenance: node.maintenance,
    maintenance_reason: node.maintenanceReason,
    last_error: node.lastError,
    reservation: node.targetPowerState === null ? null : 'controller',
    driver: 'fake-hardware',
    driver_info: {},
    properties: {},
    extra: node.host === null ? {} : { compute_node_id: node.host.uuid },
    created_at: `${microTime(node.createdAt)}+00:00`,
    updated_at: `${microTime(node.updatedAt)}+00:00`,
    links: [{ rel: 'self', href: `${origin}/baremetal/v1/nodes/${node.uuid}` }],
  };
  if (fields === undefined) return whole;
  return Object.fromEntries(fields.split(',').flatMap((name) => (name in whole ? [[name, whole[name]]] : [])));
}

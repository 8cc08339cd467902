import { NotFoundError } from '#libs/domain';
import type { PropertyDeclaration } from '#libs/dynamic-properties';
import type { BaremetalNode, Cloud, Hypervisor } from '#libs/openstack';
import { watched } from './cloud-properties.ts';
import { clusterId } from './engine-properties.ts';

/** Services of the cloud that have properties. */
export type PropertyCloud = Pick<Cloud, 'compute' | 'volume' | 'baremetal' | 'hasBaremetalService'>;

/** Reads the value of another property. Rejects when there is none. */
type ReadValue = (kind: string, id: string, name: string) => Promise<unknown>;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const isTrue = { type: 'boolean' };

/** Live properties of hosts: compute service, hypervisor and power. */
export function hostProperties(cloud: PropertyCloud, readValue: ReadValue): PropertyDeclaration[] {
  return [hostState(cloud), hostHypervisor(cloud), clusterPower(cloud), hostPower(readValue)];
}

async function requireHost({ compute }: PropertyCloud, id: string, signal: AbortSignal): Promise<Hypervisor> {
  const host = await compute.findHypervisorByServiceHost(id, { signal });
  if (!host) throw new NotFoundError('Host', id);
  return host;
}

function hostState(cloud: PropertyCloud): PropertyDeclaration {
  return {
    ...watched,
    kind: 'host',
    name: 'state',
    description: 'State and status of the compute service in Nova now.',
    backend: 'nova',
    schema: {
      type: 'object',
      required: ['uuid', 'state', 'status', 'disabled_reason'],
      properties: {
        uuid: text,
        state: { enum: ['up', 'down'] },
        status: { enum: ['enabled', 'disabled'] },
        disabled_reason: textOrNull,
      },
      additionalProperties: false,
    },
    async load(id, signal) {
      const { uuid, state, status, disabledReason } = await requireHost(cloud, id, signal);
      return { uuid, state, status, disabled_reason: disabledReason };
    },
  };
}

function hostHypervisor(cloud: PropertyCloud): PropertyDeclaration {
  return {
    ...watched,
    // It changes with upgrades only, and a restart of the compute service invalidates it.
    ttlSeconds: 300,
    staleWhileRevalidateSeconds: 3600,
    kind: 'host',
    name: 'hypervisor',
    description: 'Hypervisor of the host and its CPUs, as Nova reports them.',
    backend: 'nova',
    schema: {
      type: 'object',
      required: ['name', 'type', 'version', 'architecture', 'cpu_model'],
      properties: {
        name: text,
        type: text,
        version: { type: ['integer', 'null'] },
        architecture: textOrNull,
        cpu_model: textOrNull,
      },
      additionalProperties: false,
    },
    async load(id, signal) {
      const { hypervisorHostname, hypervisorType, hypervisorVersion, cpu } = await requireHost(cloud, id, signal);
      return {
        name: hypervisorHostname,
        type: hypervisorType,
        version: hypervisorVersion ?? null,
        architecture: cpu?.architecture ?? null,
        cpu_model: cpu?.model ?? null,
      };
    },
  };
}

const powerSchema = {
  type: 'object',
  required: ['node', 'power_state', 'target_power_state', 'maintenance', 'maintenance_reason', 'last_error'],
  properties: {
    node: text,
    power_state: textOrNull,
    target_power_state: textOrNull,
    maintenance: isTrue,
    maintenance_reason: textOrNull,
    last_error: textOrNull,
  },
  additionalProperties: false,
};

/** One listing of Ironic serves any number of watched hosts. */
function clusterPower({ baremetal, hasBaremetalService }: PropertyCloud): PropertyDeclaration {
  return {
    ...watched,
    kind: 'cluster',
    name: 'power',
    description: `Power of each host with a node in Ironic, by uuid of the hypervisor; the id is \`${clusterId}\`.`,
    backend: 'ironic',
    schema: { type: 'object', additionalProperties: powerSchema },
    async load(id, signal) {
      if (id !== clusterId) throw new NotFoundError('Cluster', id);
      if (!(await hasBaremetalService({ signal }))) return {};
      const nodes = await baremetal.listNodes({ signal });
      return Object.fromEntries(
        nodes.flatMap((node) => (node.computeNodeId ? [[node.computeNodeId, powerOf(node)]] : [])),
      );
    },
  };
}

function powerOf(node: BaremetalNode) {
  return {
    node: node.uuid,
    power_state: node.powerState,
    target_power_state: node.targetPowerState,
    maintenance: node.maintenance,
    maintenance_reason: node.maintenanceReason,
    last_error: node.lastError,
  };
}

function hostPower(readValue: ReadValue): PropertyDeclaration {
  return {
    ...watched,
    kind: 'host',
    name: 'power',
    description: 'Power of the host in Ironic now; null when no node of Ironic is assigned to it.',
    // Makes no call.
    backend: 'memory',
    schema: { ...powerSchema, type: ['object', 'null'] },
    async load(id) {
      const { uuid } = (await readValue('host', id, 'state')) as { uuid: string };
      const byHypervisor = (await readValue('cluster', clusterId, 'power')) as Record<string, unknown>;
      return byHypervisor[uuid] ?? null;
    },
  };
}

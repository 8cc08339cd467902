import type { HostUse, SchemaValue } from '#libs/domain';
import { type ClusterSummaryRequest, hostFields, loadField, loadOrNull, modelAge } from './cluster-summary.ts';
import { closedObject, componentOf, textOrNull } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** `cluster.uses`: allocations of some hosts, as of the newest model. */
export interface ClusterUsesRequest {
  /** Host names of compute services. */
  hostnames: string[];
}

/** Hosts that the cloud does not have are left out. */
export interface ClusterUsesResponse {
  /** Time of the model of the cloud, ISO 8601. */
  taken_at: string;
  hosts: { hostname: string; use: HostUse }[];
}

/** Refusals: `model_not_available`. */
export const clusterUses: RpcTopic<ClusterUsesRequest, ClusterUsesResponse> = {
  topic: 'cluster.uses',
  timeoutMs: 10_000,
};

/** `cluster.host`: one host with its instances. */
export interface ClusterHostRequest extends ClusterSummaryRequest {
  /** Host name of the compute service. */
  hostname: string;
}

/** Fields of an instance as operators see it. */
export const instanceFields = {
  uuid: { type: 'string' },
  name: { type: 'string' },
  project_id: { type: 'string' },
  state: { type: 'string', description: 'State of the instance (vm_state), such as `active`.' },
  vcpus: { type: 'number' },
  memory: { type: 'number', description: 'MiB.' },
  disk: { type: 'number', description: 'GiB of the host’s disk.' },
  locked: { type: 'boolean' },
  busy: { type: 'boolean', description: 'Whether a task runs on the instance, such as a migration.' },
  server_group: textOrNull('Uuid of its server group.'),
  created: { type: 'string' },
  cpu_load: loadOrNull('Measured CPU use, percent of the virtual CPUs; null if not measured.'),
  cpu_served: loadOrNull('Percent of the demanded CPU time that the instance gets; null: steal is not measured.'),
} as const;

const instanceSummarySchema = closedObject(instanceFields, { $id: 'InstanceSummary' });

const clusterHostSchema = closedObject(
  {
    ...modelAge,
    ...loadField,
    host: closedObject({ ...hostFields, traits: { type: 'array', items: { type: 'string' } } }, {}),
    instances: {
      type: 'array',
      items: componentOf(instanceSummarySchema),
      description: 'Instances, sorted by name and uuid.',
    },
  },
  { $id: 'ClusterHost' },
);

/** Components of the response, in addition to those of `cluster.summary`. */
export const clusterHostSchemas = [instanceSummarySchema, clusterHostSchema];

/** An instance as operators see it. */
export type InstanceSummary = SchemaValue<typeof instanceSummarySchema>;
/** One host with its instances, as of the model. */
export type ClusterHostResponse = SchemaValue<typeof clusterHostSchema>;

/** Refusals: `host_not_found`, `model_not_available`, `invalid_input`. */
export const clusterHost: RpcTopic<ClusterHostRequest, ClusterHostResponse> = {
  topic: 'cluster.host',
  timeoutMs: 60_000,
};

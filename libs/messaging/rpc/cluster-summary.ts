import type { SchemaValue } from '#libs/domain';
import { closedObject, componentOf, moment, textOrNull, texts } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** `cluster.summary`: every host with its allocation, load and state, in one response. */
export interface ClusterSummaryRequest {
  /** A model that is older than this is collected again. The response then uses the old model. Seconds, at least 5. */
  max_age_seconds: number;
  /** Window of the mean load, which ends now. Seconds, 60 to 86400. */
  load_period_seconds: number;
}

const resourceUseSchema = closedObject(
  {
    total: { type: 'number', description: 'Total amount.' },
    capacity: { type: 'number', description: 'Capacity: (total − reserved) × overcommit.' },
    used: { type: 'number', description: 'Allocated in Placement; may exceed the capacity.' },
  },
  { $id: 'ResourceUse' },
);

/** Where the loads of a response are from. A component of the public document too. */
export const loadMeasurementSchema = closedObject(
  {
    at: moment('End of the window.'),
    period_seconds: { type: 'integer', description: 'Length of the averaging window of loads.' },
    sources: texts('Used data sources.'),
    error: textOrNull('Reason for missing loads; null if all sources were available.'),
  },
  { $id: 'LoadMeasurement' },
);

/** Use of the three resources that hosts offer. */
const uses = {
  vcpus: componentOf(resourceUseSchema),
  memory: componentOf(resourceUseSchema),
  disk: componentOf(resourceUseSchema),
} as const;

/** A measured load. */
export function loadOrNull(description: string) {
  return { type: ['number', 'null'], description } as const;
}

/** Fields of a host as operators see it. */
export const hostFields = {
  uuid: { type: 'string', description: 'Id of the hypervisor.' },
  hostname: { type: 'string', description: 'Host of the compute service.' },
  state: { type: 'string', enum: ['up', 'down'], description: 'State of the compute service.' },
  status: { type: 'string', enum: ['enabled', 'disabled'], description: 'Status of the compute service.' },
  disabled_reason: textOrNull('Reason for disabling the compute service.'),
  zone: { type: 'string', description: 'Availability zone.' },
  aggregates: { type: 'array', items: { type: 'integer' }, description: "Ids of the host's aggregates." },
  instances: { type: 'integer', description: 'Instances on the host.' },
  ...uses,
  cpu_load: loadOrNull('Measured CPU use, percent of the host; null if not measured.'),
  memory_load: loadOrNull('Measured memory use, percent of the host; null if not measured.'),
} as const;

/** The age of the model that a response is from, and of the loads in it. */
export const modelAge = {
  taken_at: moment('Collection time of the model.'),
  age_seconds: { type: 'number', description: 'Age of the model at the time of the response.' },
} as const;

/** Where the loads of a response are from. */
export const loadField = { load: componentOf(loadMeasurementSchema) };

const hostSummarySchema = closedObject(hostFields, {
  $id: 'HostSummary',
  description: 'Memory in MiB, disk in GiB.',
});

const clusterTotalsSchema = closedObject(
  {
    hosts: { type: 'integer' },
    hosts_up: { type: 'integer' },
    hosts_enabled: { type: 'integer' },
    hosts_empty: { type: 'integer', description: 'Hosts without instances.' },
    instances: { type: 'integer' },
    ...uses,
    cpu_load: {
      type: ['object', 'null'],
      description: 'Over the measured hosts, percent; `deviation` is the standard deviation.',
      required: ['mean', 'deviation', 'min', 'max', 'hosts'],
      properties: {
        mean: { type: 'number' },
        deviation: { type: 'number' },
        min: { type: 'number' },
        max: { type: 'number' },
        hosts: { type: 'integer', description: 'Measured hosts.' },
      },
      additionalProperties: false,
    },
  },
  { $id: 'ClusterTotals', description: 'Resources: sums over hosts that are up and enabled.' },
);

const clusterSummarySchema = closedObject(
  {
    ...modelAge,
    complete: { type: 'boolean', description: 'Whether every part of the cloud could be read.' },
    gaps: texts('Parts that could not be read.'),
    ...loadField,
    totals: componentOf(clusterTotalsSchema),
    aggregates: {
      type: 'array',
      items: closedObject(
        { id: { type: 'integer' }, name: { type: 'string' }, zone: textOrNull('Zone of the aggregate.') },
        {},
      ),
    },
    hosts: { type: 'array', items: componentOf(hostSummarySchema), description: 'Hosts, sorted by hostname.' },
  },
  { $id: 'ClusterSummary' },
);

/** Components of the response, without `loadMeasurementSchema`, which the public document has. */
export const clusterSummarySchemas = [resourceUseSchema, hostSummarySchema, clusterTotalsSchema, clusterSummarySchema];

export type ResourceUse = SchemaValue<typeof resourceUseSchema>;
export type LoadMeasurement = SchemaValue<typeof loadMeasurementSchema>;
/** A host as operators see it. */
export type HostSummary = SchemaValue<typeof hostSummarySchema>;
/** Sums and spreads over the hosts of a summary. */
export type ClusterTotals = SchemaValue<typeof clusterTotalsSchema>;
/** All hosts with their allocation and load, as of the model. */
export type ClusterSummaryResponse = SchemaValue<typeof clusterSummarySchema>;

/** Refusals: `model_not_available`, `invalid_input`. */
export const clusterSummary: RpcTopic<ClusterSummaryRequest, ClusterSummaryResponse> = {
  topic: 'cluster.summary',
  timeoutMs: 60_000,
};

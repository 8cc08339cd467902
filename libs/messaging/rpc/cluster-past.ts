import type { SchemaValue } from '#libs/domain';
import { loadField, loadMeasurementSchema, loadOrNull } from './cluster-summary.ts';
import { closedObject, componentOf, moment, texts } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** How far back the placements of a cluster are rebuilt. In days. */
export const clusterPastDays = 28;

/** `cluster.past`: hosts and loads at a moment. */
export interface ClusterPastRequest {
  /** Milliseconds since 1970; from `clusterPastDays` ago to now. */
  at_ms: number;
  /** The moment to compare it with, not before it. Default: now. Engines of earlier releases know none. */
  to_ms?: number;
}

/** Most instances of `moved_instances`. */
export const mostMovedInstances = 500;

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
const amount = (description: string) => ({ type: 'number', description }) as const;

const useSchema = closedObject(
  {
    instances: count('Existing instances on the host.'),
    vcpus: amount('Allocated VCPUs.'),
    memory: amount('Allocated memory, MiB.'),
    disk: amount('Allocated disk, GiB.'),
    cpu_load: loadOrNull('Measured CPU use, percent of the host; null if not measured.'),
    memory_load: loadOrNull('Measured memory use, percent of the host; null if not measured.'),
  },
  { $id: 'PastUse' },
);

const hostSchema = closedObject(
  {
    hostname: { type: 'string', description: 'Host of the compute service.' },
    zone: { type: 'string', description: 'Current availability zone.' },
    aggregates: texts('Names of the current aggregates of the host.'),
    capacity: closedObject(
      {
        vcpus: amount('VCPUs.'),
        memory: amount('MiB.'),
        disk: amount('GiB.'),
      },
      { description: 'Current capacity: (total − reserved) × overcommit.' },
    ),
    before: componentOf(useSchema),
    now: componentOf(useSchema),
    arrived: count('Instances that arrived on the host from `at` to `to`.'),
    left: count('Instances that left the host from `at` to `to`.'),
  },
  { $id: 'PastHost' },
);

const movedSchema = closedObject(
  {
    uuid: { type: 'string', description: 'Uuid of the instance.' },
    name: { type: 'string', description: 'Name of the instance.' },
    from: { type: 'string', description: 'Host of the instance at `at`.' },
    to: { type: 'string', description: 'Host of the instance at `to`.' },
  },
  { $id: 'PastMovedInstance' },
);

const pastSchema = closedObject(
  {
    at: moment('Requested time.'),
    to: moment('Time of `now`: the requested `to`, otherwise the time of the model.'),
    earliest: moment('Earliest moment that can be requested.'),
    model_taken_at: moment('Time of the model from which moves are reversed.'),
    ...loadField,
    instances: closedObject(
      {
        before: count('Existing instances with a host at `at`.'),
        now: count('Existing instances with a host at `to`.'),
        moved: count('Instances on different hosts at `at` and `to`.'),
        created_since: count('Instances created from `at` to `to`; not counted in `before`.'),
        deleted_since: count('Instances moved and later deleted. Other deleted instances are not recorded.'),
        resized_since: count('Instances resized since; counted with the current size.'),
        host_gone: count('Instances on hosts that no longer exist; not counted in `before`.'),
        without_host: count(
          'Instances without a host and without a move since, such as shelved ones; not counted in `before`.',
        ),
      },
      {},
    ),
    moves: count('Moves completed from `at` to `to`.'),
    moved_instances: {
      type: 'array',
      items: componentOf(movedSchema),
      description: `Instances of \`moved\`, sorted by name; at most ${mostMovedInstances}.`,
    },
    gaps: texts('Parts of the current cloud that could not be read.'),
    hosts: { type: 'array', items: componentOf(hostSchema), description: 'Existing hosts, sorted by hostname.' },
  },
  { $id: 'ClusterPast', description: 'The cluster at a moment, and at a later one.' },
);

/** Components of the response. */
export const clusterPastSchemas = [loadMeasurementSchema, useSchema, hostSchema, movedSchema, pastSchema];

/** Allocation and load of a host at a moment. */
export type PastUse = SchemaValue<typeof useSchema>;
/** The cluster at a moment, and at a later one or now. */
export type ClusterPastResponse = SchemaValue<typeof pastSchema>;

/** Refusals: `invalid_input`, `model_not_available`. */
export const clusterPast: RpcTopic<ClusterPastRequest, ClusterPastResponse> = {
  topic: 'cluster.past',
  timeoutMs: 60_000,
};

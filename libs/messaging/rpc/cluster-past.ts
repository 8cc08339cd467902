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
    instances: count('Instances on the host, of those that exist now.'),
    vcpus: amount('Allocated VCPUs.'),
    memory: amount('Allocated memory, MiB.'),
    disk: amount('Allocated disk, GiB.'),
    cpu_load: loadOrNull('Measured CPU use, percent of the host; null when not measured.'),
    memory_load: loadOrNull('Measured memory use, percent of the host; null when not measured.'),
  },
  { $id: 'PastUse' },
);

const hostSchema = closedObject(
  {
    hostname: { type: 'string', description: 'Host of the compute service.' },
    zone: { type: 'string', description: 'Availability zone now.' },
    aggregates: texts('Names of its aggregates now.'),
    capacity: closedObject(
      {
        vcpus: amount('VCPUs.'),
        memory: amount('MiB.'),
        disk: amount('GiB.'),
      },
      { description: '(total − reserved) × overcommit, now.' },
    ),
    before: componentOf(useSchema),
    now: componentOf(useSchema),
    arrived: count('Instances that are on it at `to` and were on another host at `at`.'),
    left: count('Instances that were on it at `at` and are on another host at `to`.'),
  },
  { $id: 'PastHost' },
);

const movedSchema = closedObject(
  {
    uuid: { type: 'string', description: 'Of the instance.' },
    name: { type: 'string', description: 'Its name.' },
    from: { type: 'string', description: 'Its host at `at`.' },
    to: { type: 'string', description: 'Its host at `to`.' },
  },
  { $id: 'PastMovedInstance' },
);

const pastSchema = closedObject(
  {
    at: moment('The moment.'),
    to: moment('The moment of `now`: the requested `to`, or else that of the model.'),
    earliest: moment('Earliest moment that can be requested.'),
    model_taken_at: moment('Time of the model that the moves are taken back from.'),
    ...loadField,
    instances: closedObject(
      {
        before: count('Instances on hosts at `at`, of those that exist now.'),
        now: count('Instances on hosts at `to`, of those that exist now.'),
        moved: count('Instances that are on another host at `to` than at `at`.'),
        created_since: count('Created from `at` to `to`; not counted in `before`.'),
        deleted_since: count('Moved since and deleted. Other deleted instances leave no trace, so there may be more.'),
        resized_since: count('Moved by a resize since; counted with the current size.'),
        host_gone: count('Were on a host that has left the cloud; not counted in `before`.'),
        without_host: count('Without a host now and without a move since, as shelved ones; not counted in `before`.'),
      },
      {},
    ),
    moves: count('Finished moves from `at` to `to`.'),
    moved_instances: {
      type: 'array',
      items: componentOf(movedSchema),
      description: `Instances of \`moved\`, by name; ${mostMovedInstances} at most.`,
    },
    gaps: texts('Parts of the present cloud that could not be read.'),
    hosts: { type: 'array', items: componentOf(hostSchema), description: 'Hosts that exist now, by hostname.' },
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

import { type SchemaValue, type WhatIfLoss, whatIfQuestions, whatIfVerdicts } from '#libs/domain';
import { closedObject, componentOf, moment, textOrNull, texts } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** `cluster.what_if`: a question about a cloud that differs from the present one. */
export type ClusterWhatIfRequest =
  | { question: 'lose'; kind: WhatIfLoss; names: string[] }
  | { question: 'remove'; names: string[] }
  | { question: 'add'; count: number; like: string }
  | {
      question: 'place';
      /** Name or id of a flavor. */
      flavor: string;
      /** Null: as many as fit. */
      count: number | null;
      zone: string | null;
      project_id: string;
      boot_from_volume: boolean;
    }
  | { question: 'ratio'; ratios: { cpu?: number; memory?: number; disk?: number }; names: string[] }
  | { question: 'move'; moves: { instance: string; host: string }[] };

const moveSchema = closedObject(
  {
    instance: { type: 'string', description: 'Uuid.' },
    name: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string', description: 'Host with room for the instance, in addition to the other moves.' },
    way: { type: 'string', enum: ['live', 'cold', 'evacuate'] },
    memory: { type: 'number', description: 'MiB.' },
  },
  { $id: 'WhatIfMove' },
);

const obstacleSchema = closedObject(
  {
    instance: textOrNull('Uuid of the instance without a place; null: hosts are the subject.'),
    name: textOrNull('Name of the instance.'),
    hostname: textOrNull('Host of the instance, the overfull host, or of `move` the requested host.'),
    constraint: { type: 'string', description: 'Constraint that excludes most hosts, as in reports.' },
    hosts: { type: ['integer', 'null'], description: 'Hosts that the constraint excludes; null: not counted.' },
  },
  { $id: 'WhatIfObstacle' },
);

const reserveSchema = closedObject(
  {
    hosts: { type: 'integer', minimum: 0, description: 'Hosts that accept instances.' },
    covered: { type: 'integer', minimum: 0, description: 'Hosts whose instances all fit on the other hosts.' },
    not_covered: texts('Hosts whose instances do not all fit, at most 100, the fullest first.'),
    unknown: { type: 'integer', minimum: 0, description: 'Hosts with an unknown result.' },
    largest: {
      anyOf: [
        closedObject({ hostname: { type: 'string' }, verdict: { type: 'string', enum: whatIfVerdicts } }, {}),
        { type: 'null' },
      ],
      description: 'Host with the most used memory, and whether its loss is covered.',
    },
  },
  { $id: 'WhatIfReserve', description: 'Whether the other hosts have room for the instances of any one failed host.' },
);

const fullHost = {
  anyOf: [closedObject({ hostname: { type: 'string' }, percent: { type: 'number' } }, {}), { type: 'null' }],
  description: 'Fullest host, in percent of its capacity.',
} as const;

const whatIfSchema = closedObject(
  {
    question: { type: 'string', enum: whatIfQuestions },
    model_taken_at: moment('Time of the model of the cloud.'),
    verdict: { type: 'string', enum: whatIfVerdicts },
    text: { type: 'string', description: 'One sentence.' },
    because: textOrNull('Proof that something does not fit, or why the verdict is unknown.'),
    number: { type: ['integer', 'null'], description: 'Number of further instances that fit, for `place`.' },
    is_exact: { type: 'boolean', description: 'Whether `number` is exact; otherwise it is an upper bound.' },
    moves_needed: { type: 'integer', minimum: 0 },
    moves_memory: { type: 'number', description: 'Memory of the moved instances in MiB.' },
    moves: { type: 'array', items: componentOf(moveSchema), description: 'At most 1,000.' },
    left: {
      type: 'integer',
      minimum: 0,
      description: 'Number of instances without a host, overfull host resources, or refused moves.',
    },
    obstacles: { type: 'array', items: componentOf(obstacleSchema), description: 'At most 1,000.' },
    reserve: closedObject(
      {
        before: componentOf(reserveSchema),
        after: {
          anyOf: [componentOf(reserveSchema), { type: 'null' }],
          description: 'Reserve after the change; null: not computed.',
        },
      },
      {},
    ),
    fullest: {
      type: 'array',
      items: closedObject(
        {
          resource: { type: 'string', enum: ['vcpus', 'dedicated_cpus', 'memory', 'disk'] },
          before: fullHost,
          after: fullHost,
        },
        {},
      ),
    },
    places: {
      type: 'array',
      items: closedObject(
        {
          flavor: { type: 'string' },
          before: { type: 'integer', minimum: 0 },
          after: { type: 'integer', minimum: 0 },
          is_exact: { type: 'boolean', description: 'Whether the numbers are exact; otherwise they are upper bounds.' },
        },
        {},
      ),
      description: 'Further instances of the most frequent flavors, each alone. Empty for `place`.',
    },
    hosts: {
      type: 'array',
      items: closedObject({ hostname: { type: 'string' }, places: { type: 'integer', minimum: 0 } }, {}),
      description: 'Hosts with room for the flavor, for `place`; at most 1,000, most room first.',
    },
    notes: texts('Assumptions.'),
  },
  { $id: 'WhatIf', description: 'Effects of a hypothetical change of the cloud.' },
);

/** Components of the response. */
export const whatIfSchemas = [moveSchema, obstacleSchema, reserveSchema, whatIfSchema];

/** Effects of a change that is not made. */
export type ClusterWhatIfResponse = SchemaValue<typeof whatIfSchema>;

/** Refusals: `flavor_not_found`, `model_not_available`, `invalid_input`, `time_limit`. */
export const clusterWhatIf: RpcTopic<ClusterWhatIfRequest, ClusterWhatIfResponse> = {
  topic: 'cluster.what_if',
  timeoutMs: 150_000,
};

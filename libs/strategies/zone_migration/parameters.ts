import type { JsonObject, SchemaValue } from '#libs/domain';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const satisfies JsonObject;
const limit = (description: string, value: number) =>
  ({ description, type: 'integer', minimum: 0, default: value }) as const;

/** JSON Schema (draft 4) of the parameters. */
export const zoneMigrationParameters = {
  type: 'object',
  properties: {
    compute_nodes: {
      description: 'Compute nodes to empty, each with the one that takes its instances where that matters.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          src_node: { description: 'Compute node from which instances migrate.', ...text },
          dst_node: {
            description:
              'Compute node to which instances migrate; without it each goes to the least allocated one that is no source.',
            ...text,
          },
        },
        required: ['src_node'],
        additionalProperties: false,
      },
    },
    storage_pools: {
      description:
        'Storage pools to empty, or volumes of a type in them, each with the pool or the type that they go to.',
      type: 'array',
      items: {
        description: 'A src_pool with either a dst_pool or a dst_type, not both.',
        type: 'object',
        properties: {
          src_pool: { description: 'Storage pool from which volumes migrate.', ...text },
          dst_pool: { description: 'Storage pool to which volumes migrate.', ...text },
          src_type: { description: 'Volume type from which volumes migrate.', ...text },
          dst_type: { description: 'Volume type to which volumes migrate.', ...text },
        },
        oneOf: [
          { required: ['src_pool', 'dst_pool'], not: { required: ['dst_type'] } },
          { required: ['src_pool', 'dst_type'], not: { required: ['dst_pool'] } },
        ],
        additionalProperties: false,
      },
    },
    parallel_total: limit('The number of actions to be run in parallel in total.', 6),
    parallel_per_node: limit('The number of actions to be run in parallel per compute node.', 2),
    parallel_per_pool: limit('The number of actions to be run in parallel per storage pool.', 2),
    priority: {
      description: 'List prioritizes instances and volumes.',
      type: 'object',
      properties: {
        project: texts,
        compute_node: texts,
        storage_pool: texts,
        compute: { enum: ['vcpu_num', 'mem_size', 'disk_size', 'created_at'] },
        storage: { enum: ['size', 'created_at'] },
      },
      additionalProperties: false,
    },
    with_attached_volume: {
      description: 'Instances migrate just after their attached volumes or not.',
      type: 'boolean',
      default: false,
    },
  },
  additionalProperties: false,
} as const satisfies JsonObject;

/** Parameters of `zone_migration`. */
export type ZoneMigrationParameters = SchemaValue<typeof zoneMigrationParameters>;

/** A compute node that is emptied. */
export type NodePair = NonNullable<ZoneMigrationParameters['compute_nodes']>[number];

/** Volumes that move: by pool, or by pool and type. */
export type PoolPair = NonNullable<ZoneMigrationParameters['storage_pools']>[number];

/** The order of the moves. The first keys weigh most. */
export type Priority = NonNullable<ZoneMigrationParameters['priority']>;

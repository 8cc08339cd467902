import type { JsonObject, SchemaValue } from '#libs/domain';

const german = (title: string) => ({ 'x-texts': { de: { title } } }) as const;
const host = (title: string, description: string) =>
  ({ ...german(title), description, type: 'string', format: 'host' }) as const;
const text = (title: string, description: string) => ({ ...german(title), description, type: 'string' }) as const;
const texts = (title: string) => ({ ...german(title), type: 'array', items: { type: 'string' } }) as const;
const limit = (title: string, description: string, value: number) =>
  ({ ...german(title), description, type: 'integer', minimum: 0, default: value }) as const;

/** JSON Schema (draft 4) of the parameters. */
export const zoneMigrationParameters = {
  type: 'object',
  properties: {
    compute_nodes: {
      'x-texts': { de: { title: 'Hosts' } },
      description: 'Compute nodes to empty, each optionally with the node that takes its instances.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          src_node: host('Von Host', 'Compute node from which instances migrate.'),
          dst_node: host(
            'Auf Host',
            'Compute node to which instances migrate. Default: the least allocated node that is not a source.',
          ),
        },
        required: ['src_node'],
        additionalProperties: false,
      },
    },
    storage_pools: {
      'x-texts': { de: { title: 'Speicherpools' } },
      description: 'Storage pools to empty, or volumes of a type in them, each with its destination pool or type.',
      type: 'array',
      items: {
        description: 'A src_pool with either a dst_pool or a dst_type, not both.',
        type: 'object',
        properties: {
          src_pool: text('Von Pool', 'Storage pool from which volumes migrate.'),
          dst_pool: text('In Pool', 'Storage pool to which volumes migrate.'),
          src_type: text('Von Volume-Typ', 'Volume type from which volumes migrate.'),
          dst_type: text('In Volume-Typ', 'Volume type to which volumes migrate.'),
        },
        oneOf: [
          { required: ['src_pool', 'dst_pool'], not: { required: ['dst_type'] } },
          { required: ['src_pool', 'dst_type'], not: { required: ['dst_pool'] } },
        ],
        additionalProperties: false,
      },
    },
    parallel_total: limit('Gleichzeitig insgesamt', 'The number of actions to be run in parallel in total.', 6),
    parallel_per_node: limit(
      'Gleichzeitig pro Host',
      'The number of actions to be run in parallel per compute node.',
      2,
    ),
    parallel_per_pool: limit(
      'Gleichzeitig pro Pool',
      'The number of actions to be run in parallel per storage pool.',
      2,
    ),
    priority: {
      'x-texts': { de: { title: 'Priorität' } },
      description: 'Order of instances and volumes.',
      type: 'object',
      properties: {
        project: texts('Projekte'),
        compute_node: texts('Hosts'),
        storage_pool: texts('Speicherpools'),
        compute: {
          'x-texts': {
            de: {
              title: 'Reihenfolge der Instanzen',
              values: {
                vcpu_num: 'Anzahl der vCPUs',
                mem_size: 'Arbeitsspeicher',
                disk_size: 'Festplatte',
                created_at: 'Alter',
              },
            },
          },
          enum: ['vcpu_num', 'mem_size', 'disk_size', 'created_at'],
        },
        storage: {
          'x-texts': { de: { title: 'Reihenfolge der Volumes', values: { size: 'Größe', created_at: 'Alter' } } },
          enum: ['size', 'created_at'],
        },
      },
      additionalProperties: false,
    },
    with_attached_volume: {
      'x-texts': { de: { title: 'Instanzen direkt nach ihren Volumes' } },
      description: 'Whether an instance migrates directly after its attached volumes.',
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

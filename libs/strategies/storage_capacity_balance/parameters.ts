import type { JsonObject, SchemaValue } from '#libs/domain';

/** JSON Schema (draft 4) of the parameters. */
export const storageCapacityBalanceParameters = {
  type: 'object',
  properties: {
    volume_threshold: {
      'x-texts': { de: { title: 'Schwellwert für Pools' } },
      description: 'Volume threshold for capacity balance, in percent of the capacity of a pool.',
      'x-unit': '%',
      type: 'number',
      minimum: 0,
      maximum: 100,
      default: 80.0,
    },
    ex_pools: {
      'x-texts': { de: { title: 'Ausgeschlossene Pools' } },
      description:
        'Pools that stay unchanged: `host@backend#pool`, or the part after the `#`. Default: `local_vstorage`.',
      type: 'array',
      items: { type: 'string' },
    },
    volume_order: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Reihenfolge der Volumes' } },
      description:
        'Order in which volumes leave a pool: fewest_moves (default) takes the smallest volume that is sufficient ' +
        'alone, otherwise the largest. watcher takes small volumes first, available before attached ones, and boot ' +
        'volumes last.',
      type: 'string',
      enum: ['fewest_moves', 'watcher'],
    },
  },
} as const satisfies JsonObject;

/** Parameters of `storage_capacity_balance`. */
export type StorageCapacityBalanceParameters = SchemaValue<typeof storageCapacityBalanceParameters>;

import type { JsonObject } from '#libs/domain';

/** Parameters of `storage_capacity_balance`. */
export type StorageCapacityBalanceParameters = {
  /** Percent of a pool's capacity in use from which on it is relieved; default 80. */
  volume_threshold: number;
  /** Pools that are left alone, by their name as Cinder says it or its part after the `#`; default `local_vstorage`. An option in Watcher. */
  ex_pools?: string[];
  /** Default `fewest_moves`; `watcher` takes small volumes first, available ones before attached ones. Not one of Watcher's. */
  volume_order?: 'fewest_moves' | 'watcher';
};

/** JSON Schema (draft 4) of the parameters. */
export const storageCapacityBalanceParameters: JsonObject = {
  type: 'object',
  properties: {
    volume_threshold: {
      description: 'Volume threshold for capacity balance, in percent of the capacity of a pool.',
      type: 'number',
      minimum: 0,
      maximum: 100,
      default: 80.0,
    },
    ex_pools: {
      description:
        'Pools that are left alone: `host@backend#pool`, or the part after the `#`; `local_vstorage` when it is not given.',
      type: 'array',
      items: { type: 'string' },
    },
    volume_order: {
      description:
        'Which volumes leave a pool: fewest_moves takes the smallest that is enough alone, else the largest (when it is not given); ' +
        'watcher takes small ones first, available ones before attached ones, those that servers boot from last.',
      type: 'string',
      enum: ['fewest_moves', 'watcher'],
    },
  },
};

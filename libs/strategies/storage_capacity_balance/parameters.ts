import type { JsonObject } from '#libs/domain';

/** Parameters of `storage_capacity_balance`. */
export type StorageCapacityBalanceParameters = {
  /** Percent of a pool's capacity in use from which on it is relieved; default 80. */
  volume_threshold: number;
  /** Pools that are left alone, by their name as Cinder says it or its part after the `#`; default `local_vstorage`. An option in Watcher. */
  ex_pools?: string[];
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
  },
};

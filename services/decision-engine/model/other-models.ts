import { type BaremetalSnapshot, isStorageAtRest, type StorageSnapshot } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { Metrics } from '#libs/service-kit';
import { collectBaremetalModel } from '../collectors/baremetal-collector.ts';
import type { ForeignCollectors } from '../collectors/foreign-collectors.ts';
import { collectStorageModel } from '../collectors/storage-collector.ts';
import { createModelKeeper, type ModelKeeper } from './model-keeper.ts';

/** The models that only some strategies need. Each is collected when an audit requests it. */
export interface OtherModels {
  storage: ModelKeeper<StorageSnapshot>;
  baremetal: ModelKeeper<BaremetalSnapshot>;
  /** Aborts running collections. */
  stop(): void;
}

/**
 * Keepers of the block storage and bare metal models. Their `fresh` rejects with ServiceMissingError when the cloud
 * has no such service.
 */
export function createOtherModels(deps: {
  cloud: Cloud;
  /** Collectors of plugins. */
  collectors?: Pick<ForeignCollectors, 'storage' | 'baremetal'>;
  /** Age in milliseconds up to which a followed model of block storage counts as current. Default 0. */
  followedMaxAgeMs?: number;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}): OtherModels {
  const { cloud, collectors = {}, followedMaxAgeMs, ...rest } = deps;
  const { clock } = rest;
  const storage = createModelKeeper<StorageSnapshot>({
    ...rest,
    name: 'storage',
    followedMaxAgeMs,
    isAtRest: isStorageAtRest,

    collect: (signal) => collectStorageModel(cloud, { clock, signal, collector: collectors.storage }),
    sizes: ({ pools, volumes }) => ({ pools: pools.length, volumes: volumes.length }),
  });
  const baremetal = createModelKeeper({
    ...rest,
    name: 'baremetal',
    collect: (signal) => collectBaremetalModel(cloud, { clock, signal, collector: collectors.baremetal }),
    sizes: ({ nodes }) => ({ nodes: nodes.length }),
  });
  return {
    storage,
    baremetal,
    stop() {
      storage.stop();
      baremetal.stop();
    },
  };
}

import { type BaremetalSnapshot, isStorageAtRest, type StorageSnapshot } from '#libs/cluster-model';
import type { Clock, Logger } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import type { Metrics } from '#libs/service-kit';
import { collectBaremetalModel } from '../collectors/baremetal-collector.ts';
import type { ForeignCollectors } from '../collectors/foreign-collectors.ts';
import { collectStorageModel } from '../collectors/storage-collector.ts';
import { createModelKeeper, type ModelKeeper } from './model-keeper.ts';

/** The parts of the picture that only some strategies need. Each is collected when an audit requests it. */
export interface OtherModels {
  storage: ModelKeeper<StorageSnapshot>;
  baremetal: ModelKeeper<BaremetalSnapshot>;
  /** Aborts running collections. */
  stop(): void;
}

/** Keepers of block storage and bare metal. Their `fresh` rejects with ServiceMissingError where the cloud has none. */
export function createOtherModels(deps: {
  cloud: Cloud;
  /** Collectors of plugins. */
  collectors?: Pick<ForeignCollectors, 'storage' | 'baremetal'>;
  /** Age in milliseconds up to which a picture of block storage that is followed is as good as new. Default 0. */
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

import type { BaremetalPort } from './baremetal/types.ts';
import type { CloudCallOptions } from './call-options.ts';
import type { ComputePort } from './compute/types.ts';
import type { IdentityPort } from './identity/types.ts';
import type { ImagePort } from './image/image-port.ts';
import type { NetworkPort } from './network/network-port.ts';
import type { PlacementPort } from './placement/types.ts';
import type { VolumePort } from './volume/types.ts';

/**
 * One OpenStack cloud (region) as seen with one set of credentials. Its ports define the reads and requests of Vigil,
 * in
 * Vigil's shapes (camelCase, used fields only). The adapters translate. Every call has a time limit, is counted, and
 * throws an `OpenStackError` (see `errors.ts`).
 */
export interface Cloud {
  identity: IdentityPort;
  compute: ComputePort;
  placement: PlacementPort;
  volume: VolumePort;
  baremetal: BaremetalPort;
  /** Absent in replayed clouds without it. */
  image?: ImagePort;
  /** Whether the catalogue has images. Absent with `image`. */
  hasImageService?(options?: CloudCallOptions): Promise<boolean>;
  /** Absent in replayed clouds without it. */
  network?: NetworkPort;
  /** Whether the catalogue has networks. Absent with `network`. */
  hasNetworkService?(options?: CloudCallOptions): Promise<boolean>;
  /** Whether the catalogue has shared file systems. Absent in clouds that are played without them. */
  hasShareService?(options?: CloudCallOptions): Promise<boolean>;
  /** Whether the catalogue has block storage. */
  hasVolumeService(options?: CloudCallOptions): Promise<boolean>;
  /** Whether the catalogue has bare metal. */
  hasBaremetalService(options?: CloudCallOptions): Promise<boolean>;
  /** Frees the connections. */
  close(): Promise<void>;
}

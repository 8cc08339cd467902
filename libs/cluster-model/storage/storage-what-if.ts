import type { StorageSnapshot } from './storage-snapshot.ts';

/** Why a volume may not go to a pool or become of a type. Also the names used in reports. */
export const storageConstraintNames = [
  'volume-status',
  'volume-migrating',
  'volume-snapshots',
  'volume-multiattach',
  'volume-group',
  'volume-replicated',
  'volume-encrypted',
  'volume-unplaced',
  'migration-failed',
  'same-pool',
  'same-type',
  'unknown-type',
  'pool-down',
  'pool-disabled',
  'pool-type',
  'pool-capacity',
  'pool-oversubscription',
] as const;
export type StorageConstraintName = (typeof storageConstraintNames)[number];

/**
 * A private, changeable view on a storage snapshot: strategies move and retype volumes and see the effect on the pools.
 * A move costs O(1). This is the only door to feasibility: a pool that Cinder would refuse is never allowed.
 */
export interface StorageWhatIf {
  readonly snapshot: StorageSnapshot;
  /** Pool row of each volume now, −1 when it is on none. Do not write. */
  readonly poolOf: Int32Array;
  /** Name of the volume's type now. */
  typeOf(volume: number): string | null;
  /** GiB free now; NaN when the backend does not report it. */
  free(pool: number): number;
  /** GiB in all; NaN when the backend does not report it. */
  total(pool: number): number;
  /** Used part of the pool now, 0 to 1; NaN when the backend does not report it. */
  usedShare(pool: number): number;
  /** Why the volume cannot be moved or retyped at all, or null. */
  immovable(volume: number): StorageConstraintName | null;
  /** Why the volume cannot go to the pool with its current type (or with `type`). Null when it can. */
  refusal(volume: number, pool: number, type?: string): StorageConstraintName | null;
  /** Moves, and retypes when `type` is given, without a check. Callers check `refusal` first. */
  move(volume: number, pool: number, type?: string): void;
  poolRow(name: string): number | undefined;
  volumeRow(uuid: string): number | undefined;
  hasType(name: string): boolean;
}

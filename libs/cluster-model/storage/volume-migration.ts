import type { StorageSnapshot, StorageVolumeInfo } from './storage-snapshot.ts';

/** Migration statuses of a volume that is where it says. */
const restingStatuses = new Set(['success', 'error']);
/** Statuses of a volume that Cinder is moving, or may be: it migrates under `maintenance` what is locked. */
const movingStatuses = new Set(['retyping', 'maintenance']);

/** Whether Cinder is migrating the volume. */
export function isMigrating({ migrationStatus }: Pick<StorageVolumeInfo, 'migrationStatus'>): boolean {
  return migrationStatus !== null && !restingStatuses.has(migrationStatus);
}

/** Whether a volume belongs to the migration of another one: as the copy that is being filled, or as what is left to be deleted. */
export function isTemporary(migrationStatus: string | null): boolean {
  return migrationStatus !== null && (migrationStatus.startsWith('target:') || migrationStatus === 'deleting');
}

/** Whether no volume is on its way. Cinder tells nobody when one arrives, so what is not at rest has to be looked at again. */
export function isStorageAtRest({ volumes }: Pick<StorageSnapshot, 'volumes'>): boolean {
  return !volumes.some((volume) => isMigrating(volume) || movingStatuses.has(volume.status));
}

import type { StoragePoolInfo } from './storage-snapshot.ts';

/** Cinder's spelling of truth values in extra specs, such as `<is> True`. */
function plainValue(value: string): string {
  return value.replace(/^<is>\s*/i, '').toLowerCase();
}

/**
 * Whether a pool can hold volumes with these extra specs: the backend name must be the pool's, and every other spec that
 * the backend tells something about must be equal. Specs that it does not tell are passed over, as in Cinder.
 */
export function poolServes(pool: StoragePoolInfo, extraSpecs: Readonly<Record<string, string>>): boolean {
  return Object.entries(extraSpecs).every(([key, wanted]) => {
    const name = key.replace(/^capabilities:/, '');
    const told = name === 'volume_backend_name' ? pool.backendName : pool.capabilities[name];
    return told === undefined || plainValue(told) === plainValue(wanted);
  });
}

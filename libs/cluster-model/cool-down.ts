import type { ComputeSnapshot } from './compute-snapshot.ts';
import { instanceFlag } from './compute-snapshot.ts';

/**
 * The same picture with the given instances left in peace: they count for capacity and are not moved. Uuids that it does not
 * have are ignored. The flags are copied, everything else is shared.
 */
export function coolDown(snapshot: ComputeSnapshot, uuids: readonly string[]): ComputeSnapshot {
  if (uuids.length === 0) return snapshot;
  const { flags: before } = snapshot.instances;
  const flags = new Uint8Array(new SharedArrayBuffer(before.length));
  flags.set(before);
  const cooling = new Set(uuids);
  snapshot.instanceInfo.forEach(({ uuid }, row) => {
    if (cooling.has(uuid)) flags[row] = (flags[row] as number) | instanceFlag.coolingDown;
  });
  return { ...snapshot, instances: { ...snapshot.instances, flags } };
}

import type { ComputeSnapshot } from './compute-snapshot.ts';
import { hostFlag, instanceFlag } from './compute-snapshot.ts';

function copyOf(column: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(column.length));
  copy.set(column);
  return copy;
}

/** The same model with a flag on the given instances. The flags are copied, everything else is shared. */
function mark(snapshot: ComputeSnapshot, uuids: readonly string[], flag: number): ComputeSnapshot {
  if (uuids.length === 0) return snapshot;
  const flags = copyOf(snapshot.instances.flags);
  const marked = new Set(uuids);
  snapshot.instanceInfo.forEach(({ uuid }, row) => {
    if (marked.has(uuid)) flags[row] = (flags[row] as number) | flag;
  });
  return { ...snapshot, instances: { ...snapshot.instances, flags } };
}

/**
 * The same model with the given instances excluded after a move: they count for capacity and are not moved. Unknown
 * uuids are ignored.
 */
export function coolDown(snapshot: ComputeSnapshot, uuids: readonly string[]): ComputeSnapshot {
  return mark(snapshot, uuids, instanceFlag.coolingDown);
}

/** As `coolDown`, for instances with a recently failed migration. */
export function holdBack(snapshot: ComputeSnapshot, uuids: readonly string[]): ComputeSnapshot {
  return mark(snapshot, uuids, instanceFlag.failedLately);
}

/**
 * The same model in which these hosts, by row, accept no instances, because too little of their load is known
 * (`coverage`).
 */
export function withoutLoads(snapshot: ComputeSnapshot, rows: Iterable<number>): ComputeSnapshot {
  const flags = copyOf(snapshot.hosts.flags);
  for (const row of rows) flags[row] = (flags[row] as number) | hostFlag.unmeasured;
  return { ...snapshot, hosts: { ...snapshot.hosts, flags } };
}

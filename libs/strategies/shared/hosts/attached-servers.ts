import type { StorageVolumeInfo, WhatIf } from '#libs/cluster-model';
import { instanceFlag, instanceStates } from '#libs/cluster-model';

/**
 * Why the attached servers pin a volume. Nova copies the volume of a server only while the server is active or paused
 * and has no other task. Servers that the model lacks, such as those outside the scope of the audit, have an unknown
 * state.
 */
export function attachedServersRefusal(
  model: WhatIf,
  { serverUuids }: StorageVolumeInfo,
): 'server-state' | 'server-busy' | 'server-unknown' | null {
  for (const uuid of serverUuids) {
    const row = model.instanceRow(uuid);
    if (row === undefined) return 'server-unknown';
    const { state, flags } = model.snapshot.instances;
    if ((flags[row] as number) & instanceFlag.busy) return 'server-busy';
    const name = instanceStates[state[row] as number];
    if (name !== 'active' && name !== 'paused') return 'server-state';
  }
  return null;
}

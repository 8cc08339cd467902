import type { StorageVolumeInfo, WhatIf } from '#libs/cluster-model';
import { instanceFlag, instanceStates } from '#libs/cluster-model';

/**
 * Why the servers that a volume is attached to keep it where it is: Nova copies the volume of a server only while that
 * is active or paused and nothing else happens to it. Of a server that the model does not have, such as one outside the
 * scope of the audit, nobody knows that.
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

import type { WhatIf } from '#libs/cluster-model';
import type { BlockedTally } from './blocked-tally.ts';
import { instanceAt, instanceLabel } from './rows.ts';

/**
 * Instances on a host that may be moved, those with most vcpus first (ties by row); the others are counted as blocked by
 * the constraint that holds them.
 */
export function movableInstances(model: WhatIf, host: number, blocked: BlockedTally): number[] {
  const { snapshot } = model;
  const { vcpus } = snapshot.instances;
  return [...model.instancesOn(host)]
    .filter((instance) => {
      const reason = model.immovable(instance);
      if (reason !== null) blocked.add(reason, instanceLabel(instanceAt(snapshot, instance)));
      return reason === null;
    })
    .sort((a, b) => (vcpus[b] as number) - (vcpus[a] as number) || a - b);
}

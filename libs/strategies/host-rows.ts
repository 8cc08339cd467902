import type { WhatIf } from '#libs/cluster-model';
import { hostFlag } from '#libs/cluster-model';

/** Rows of the hosts that are up and not forced down, whether they are enabled or not. */
export function upHosts({ snapshot }: WhatIf): number[] {
  return snapshot.hostInfo.flatMap((_, row) => {
    const flags = snapshot.hosts.flags[row] as number;
    return (flags & hostFlag.up) !== 0 && (flags & hostFlag.forcedDown) === 0 ? row : [];
  });
}

/** Rows of the hosts that accept instances: up, enabled and not forced down. */
export function acceptingHosts(model: WhatIf): number[] {
  return model.snapshot.hostInfo.flatMap((_, row) => (model.enabled[row] === 1 ? row : []));
}

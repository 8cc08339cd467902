import { hostFlag, type WhatIf } from '#libs/cluster-model';
import { upHosts } from '../hosts/rows.ts';
import { freedReason } from './actions.ts';

/** Disabled hosts that a consolidation freed earlier and that can be enabled again, by row. */
export function freedHosts(model: WhatIf): number[] {
  const { hostInfo, hosts } = model.snapshot;
  return upHosts(model).filter(
    (host) =>
      hostInfo[host]?.disabledReason === freedReason && ((hosts.flags[host] as number) & hostFlag.enabled) === 0,
  );
}

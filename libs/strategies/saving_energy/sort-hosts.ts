import { type BaremetalNodeInfo, type BaremetalSnapshot, hostFlag, type WhatIf } from '#libs/cluster-model';
import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { hostAt } from '../shared/hosts/rows.ts';
import { freedReason } from '../shared/moves/actions.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';

/** A compute node and its machine. */
export interface PoweredHost {
  /** Row in the compute model. */
  row: number;
  /** Uuid of the machine. */
  node: string;
  /** Whether Watcher or Vigil disabled the compute service. */
  disabled: boolean;
}

/** The hosts by possible action. */
export interface HostPools {
  withInstances: number;
  freeOn: PoweredHost[];
  freeOff: PoweredHost[];
  /** Machines without a compute node in the model. */
  foreign: number;
}

/** Why a free host is left unchanged, or null. */
function refusal(model: WhatIf, row: number, node: BaremetalNodeInfo): string | null {
  const flags = model.snapshot.hosts.flags[row] as number;
  const reason = hostAt(model.snapshot, row).disabledReason;
  if (node.maintenance) return 'node-maintenance';
  if (node.power === 'unknown') return 'power-changing';
  if (holdsForeignAllocation(model, row)) return 'foreign-allocation';
  if ((flags & hostFlag.enabled) === 0 && reason !== null && reason !== '' && reason !== freedReason)
    return 'host-disabled';
  if (flags & hostFlag.forcedDown) return 'host-down';
  return node.power === 'on' && (flags & hostFlag.up) === 0 ? 'host-down' : null;
}

function sortFree(model: WhatIf, row: number, node: BaremetalNodeInfo, pools: HostPools, blocked: BlockedTally): void {
  const because = refusal(model, row, node);
  const disabled = ((model.snapshot.hosts.flags[row] as number) & hostFlag.enabled) === 0;
  if (because !== null) blocked.add(because, hostAt(model.snapshot, row).hostname);
  else (node.power === 'on' ? pools.freeOn : pools.freeOff).push({ row, node: node.uuid, disabled });
}

/**
 * Sorts the machines. Hosts without any instance are free, also when the scope excludes the instance. A free host is
 * left unchanged and reported when its machine is in maintenance or changes its power state, Placement still has
 * allocations on it, another user has disabled its service, or it is on but its service is down.
 */
export function sortHosts(model: WhatIf, { nodes }: BaremetalSnapshot, blocked: BlockedTally): HostPools {
  const { snapshot } = model;
  const rows = new Map(snapshot.hostInfo.map(({ uuid }, row) => [uuid, row]));
  const pools: HostPools = { withInstances: 0, freeOn: [], freeOff: [], foreign: 0 };
  for (const node of nodes) {
    const row = rows.get(node.computeNodeUuid ?? '');
    if (row === undefined) {
      pools.foreign++;
    } else if (model.instancesOn(row).length > 0) {
      pools.withInstances++;
    } else {
      sortFree(model, row, node, pools, blocked);
    }
  }
  return pools;
}

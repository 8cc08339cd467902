import type { WhatIf } from '#libs/cluster-model';
import { type Resource, resources } from '../packing/packing-problem.ts';

/** The fullest host of a resource. */
export interface Fullest {
  hostname: string;
  /** Allocated share of its capacity. */
  percent: number;
}

/** The fullest hosts by resource. Resources of which no host has any are missing. @param hosts rows to compare */
export function findFullest(model: WhatIf, hosts: readonly number[]): Map<Resource, Fullest> {
  const found = new Map<Resource, Fullest>();
  for (const host of hosts) {
    const info = model.snapshot.hostInfo[host];
    const dedicated = info?.dedicatedCpus?.capacity ?? 0;
    const capacity = { ...model.capacity(host), dedicatedCpus: dedicated };
    const used = { ...model.used(host), dedicatedCpus: dedicated - model.freeDedicatedCpus(host) };
    for (const resource of resources) {
      if (!(capacity[resource] > 0)) continue;
      const percent = (100 * used[resource]) / capacity[resource];
      if (percent > (found.get(resource)?.percent ?? -1))
        found.set(resource, { hostname: info?.hostname ?? '', percent });
    }
  }
  return found;
}

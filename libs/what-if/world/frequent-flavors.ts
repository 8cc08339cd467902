import type { ComputeSnapshot } from '#libs/cluster-model';
import type { WhatIfFlavor } from './flavor-places.ts';

/** Flavors of instances in a result. */
export const mostFlavors = 8;

/**
 * The most frequent flavors of instances, in falling order, without the zones of the instances.
 * @param name only flavors of that name, which may have different sizes. Default: all
 */
export function frequentFlavors(snapshot: ComputeSnapshot, name?: string): WhatIfFlavor[] {
  const { instanceInfo, instances } = snapshot;
  const found = new Map<string, { flavor: WhatIfFlavor; count: number }>();
  for (const [row, info] of instanceInfo.entries()) {
    if (info.flavorName === undefined || (name !== undefined && info.flavorName !== name)) continue;
    const memory = instances.memory[row] as number;
    const total = (instances.disk[row] as number) + (info.sharedDiskGb ?? 0);
    const key = JSON.stringify([info.flavorName, instances.vcpus[row], memory, total, info.flavorExtraSpecs]);
    const known = found.get(key);
    if (known !== undefined) {
      known.count++;
      continue;
    }
    const flavor = {
      ...{ name: info.flavorName, vcpus: instances.vcpus[row] as number, memory, disk: total },
      ...{ extraSpecs: info.flavorExtraSpecs, projectId: info.projectId, zone: '' },
      hasCapabilityFilter: info.capabilities !== undefined,
    };
    found.set(key, { flavor, count: 1 });
  }
  return [...found.values()]
    .sort((a, b) => b.count - a.count || (a.flavor.name < b.flavor.name ? -1 : 1))
    .slice(0, mostFlavors)
    .map(({ flavor }) => flavor);
}

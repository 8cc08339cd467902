import type { ComputeSnapshot, NovaFilter } from '#libs/cluster-model';
import { nearestHint } from '#libs/domain';
import { type ClusterWhatIfRequest, type RpcRefusal, refuse } from '#libs/messaging';
import type { FlavorDetails } from '#libs/openstack';
import type { WhatIfFlavor } from '#libs/what-if';

/** Flavors that a request may name. */
export interface KnownFlavors {
  snapshot: ComputeSnapshot;
  /** Flavors of Nova or of a recording. */
  listed: readonly FlavorDetails[];
  /** Enabled filters of Nova's scheduler. Default: all. */
  novaFilters?: readonly NovaFilter[];
}

/**
 * Finds the listed flavor with that name or id, or else the flavor that instances have. Refusal: `flavor_not_found`.
 */
export function chooseFlavor(
  request: Extract<ClusterWhatIfRequest, { question: 'place' }>,
  { snapshot: { instances, instanceInfo }, listed, novaFilters }: KnownFlavors,
): WhatIfFlavor | RpcRefusal {
  const { flavor: wanted, zone, project_id: projectId, boot_from_volume: isFromVolume } = request;
  const rest = {
    ...{ projectId, zone: zone ?? '' },
    hasCapabilityFilter: novaFilters === undefined || novaFilters.includes('ComputeCapabilitiesFilter'),
  };
  const found = listed.find(({ id, name }) => name === wanted || id === wanted);
  if (found !== undefined) {
    const { name, vcpus, ramMb: memory, diskGb, ephemeralGb, swapMb, extraSpecs } = found;
    const disk = (isFromVolume ? 0 : diskGb) + ephemeralGb + Math.ceil(swapMb / 1024);
    return { ...rest, ...{ name, vcpus, memory, disk, extraSpecs } };
  }
  const row = instanceInfo.findIndex(({ flavorName }) => flavorName === wanted);
  const info = instanceInfo[row];
  if (info === undefined || isFromVolume) {
    const names = new Set([...listed.map(({ name }) => name), ...instanceInfo.flatMap((one) => one.flavorName ?? [])]);
    return refuse('flavor_not_found', `flavor: there is no flavor ${wanted}${nearestHint(wanted, names)}`);
  }
  return {
    ...rest,
    ...{ name: wanted, vcpus: instances.vcpus[row] as number, memory: instances.memory[row] as number },
    disk: (instances.disk[row] as number) + (info.sharedDiskGb ?? 0),
    extraSpecs: info.flavorExtraSpecs,
  };
}

import type { ComputeSnapshot } from './compute-snapshot.ts';
import type { ConstraintName, WhatIf } from './what-if.ts';

/** An instance by uuid, and the name of a host that Nova refused to move it to. */
export interface RefusedDestination {
  instance: string;
  host: string;
}

/**
 * The same model without the destinations that were refused for instances. Unknown instances are ignored. Earlier
 * exclusions remain.
 */
export function refuseDestinations(snapshot: ComputeSnapshot, refused: readonly RefusedDestination[]): ComputeSnapshot {
  if (refused.length === 0) return snapshot;
  const hosts = new Map<string, string[]>();
  for (const { instance, host } of refused) hosts.set(instance, [...(hosts.get(instance) ?? []), host]);
  const instanceInfo = snapshot.instanceInfo.map((info) => {
    const refusedHosts = hosts.get(info.uuid);
    if (refusedHosts === undefined) return info;
    return { ...info, refusedHosts: [...(info.refusedHosts ?? []), ...refusedHosts] };
  });
  return { ...snapshot, instanceInfo };
}

/** Refused destinations in a snapshot, by row of instance and host. */
export function createRefusedDestinations({
  instanceInfo,
  hostInfo,
}: Pick<ComputeSnapshot, 'instanceInfo' | 'hostInfo'>): (instance: number, host: number) => ConstraintName | null {
  const refused = new Map<number, ReadonlySet<string>>();
  for (const [row, { refusedHosts }] of instanceInfo.entries())
    if (refusedHosts !== undefined) refused.set(row, new Set(refusedHosts));
  if (refused.size === 0) return () => null;
  return (instance, host) =>
    refused.get(instance)?.has(hostInfo[host]?.hostname ?? '') ? 'destination-refused' : null;
}

/** Whether the instance can go to any host of the model, disabled ones included. */
export function hasDestination(model: WhatIf, instance: number): boolean {
  return model.snapshot.hostInfo.some((_, host) => model.refusal(instance, host, { allowDisabled: true }) === null);
}

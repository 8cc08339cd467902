import type { WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import { hostAt } from './rows.ts';

/** Moves an instance in the model and returns the vcpus and memory allocated on both hosts before and after. */
export function moveWithAllocations(model: WhatIf, instance: number, to: number): BeforeAfter[] {
  const hosts = [model.hostOf[instance] as number, to];
  const before = hosts.map((host) => model.used(host));
  model.move(instance, to);
  return hosts.flatMap((host, index): BeforeAfter[] => {
    const { hostname: subject } = hostAt(model.snapshot, host);
    const was = before[index];
    const is = model.used(host);
    return [
      { quantity: 'vcpus_allocated', subject, unit: '', before: was?.vcpus ?? 0, after: is.vcpus },
      { quantity: 'memory_allocated', subject, unit: 'MB', before: was?.memory ?? 0, after: is.memory },
    ];
  });
}

/** Tolerance for rounding, as in the model. */
const tolerance = 1e-6;

/**
 * Whether the allocations of a host exceed those of its instances: a build, an incoming migration or an unconfirmed
 * resize needs them. The host is then not free, even without instances.
 */
export function holdsForeignAllocation(model: WhatIf, host: number): boolean {
  const own = { vcpus: 0, dedicatedCpus: 0, memory: 0 };
  for (const instance of model.instancesOn(host)) {
    const needs = model.needs(instance);
    own.vcpus += needs.vcpus;
    own.dedicatedCpus += needs.dedicatedCpus;
    own.memory += needs.memory;
  }
  const { vcpus, memory } = model.used(host);
  const dedicated = (model.snapshot.hostInfo[host]?.dedicatedCpus?.capacity ?? 0) - model.freeDedicatedCpus(host);
  return vcpus > own.vcpus + tolerance || memory > own.memory + tolerance || dedicated > own.dedicatedCpus + tolerance;
}

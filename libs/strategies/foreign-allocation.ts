import type { WhatIf } from '#libs/cluster-model';

/** Slack against rounding, as the model has it. */
const tolerance = 1e-6;

/**
 * Whether more is allocated on a host than its instances take: a build, an incoming migration or an unconfirmed resize needs
 * it, so the host is not free even when all its instances have left.
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

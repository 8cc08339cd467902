import type { WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import { hostAt } from './rows.ts';

/** Moves an instance in the model and tells vcpus and memory allocated on both hosts before and after. */
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

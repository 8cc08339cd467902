import { instanceStates, type WhatIf } from '#libs/cluster-model';
import type { MetricsReader, MetricsWindow } from '#libs/plugin-kit';
import { type BlockedTally, createBlockedTally } from '../report/blocked-tally.ts';
import { coverUse } from './covered-use.ts';
import { instanceAt, instanceLabel } from './rows.ts';

/** A window that contains a measurement when instances are measured every five minutes, the usual interval. */
const loadSeconds = 300;

/**
 * Movable instances of a host, those with the most vcpus first (ties by row). Other instances count as blocked by
 * their constraint.
 */
export function movableInstances(model: WhatIf, host: number, blocked: BlockedTally): number[] {
  const { snapshot } = model;
  const { vcpus } = snapshot.instances;
  return [...model.instancesOn(host)]
    .filter((instance) => {
      const reason = model.immovable(instance);
      if (reason !== null) blocked.add(reason, instanceLabel(instanceAt(snapshot, instance)));
      return reason === null;
    })
    .sort((a, b) => (vcpus[b] as number) - (vcpus[a] as number) || a - b);
}

/**
 * Instances that heat their host: like `movableInstances`, but only active ones, the largest load first. Moving a
 * stopped instance removes no heat.
 */
export function warmingInstances(model: WhatIf, host: number, loads: Float64Array, blocked: BlockedTally): number[] {
  const { snapshot } = model;
  return movableInstances(model, host, blocked)
    .filter((instance) => {
      const isActive = instanceStates[snapshot.instances.state[instance] as number] === 'active';
      if (!isActive) blocked.add('instance-state', instanceLabel(instanceAt(snapshot, instance)));
      return isActive;
    })
    .sort((a, b) => (loads[b] as number) - (loads[a] as number));
}

/**
 * CPU load of every instance in vcpus. An unmeasured instance has the mean of the measured ones, or all of its vcpus
 * when none is measured.
 */
export async function readInstanceLoads(
  model: WhatIf,
  metrics: MetricsReader,
  window: MetricsWindow,
): Promise<Float64Array> {
  const periodSeconds = Math.max(window.periodSeconds, loadSeconds);
  const percent = await metrics.instances('instance_cpu_usage', { ...window, periodSeconds });
  const { vcpus } = model.snapshot.instances;
  const measured = percent.map((value, row) => (value / 100) * (vcpus[row] as number));
  const { use } = coverUse(model, { measured, allocated: vcpus, hosts: [] }, createBlockedTally());
  return use.map((value, row) => (Number.isNaN(value) ? (vcpus[row] as number) : value));
}

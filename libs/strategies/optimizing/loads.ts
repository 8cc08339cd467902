import type { WhatIf } from '#libs/cluster-model';
import type { MetricAggregate } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import type { BlockedTally } from '../blocked-tally.ts';
import { coverUse } from '../covered-use.ts';
import { counted } from '../rows.ts';

/** What instances use of their hosts. */
export interface Loads {
  /** In vcpus, of each instance. */
  cpu: Float64Array;
  /** For the report: what was estimated. */
  notes: string[];
}

/**
 * CPU load of every instance. Without a measurement of its own an instance has the measured mean of what is allocated; where nothing at all
 * is measured, allocations count and the notes say so.
 */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  window: { periodSeconds: number; aggregate: MetricAggregate },
  blocked: BlockedTally,
): Promise<Loads> {
  const percent = await metrics.instances('instance_cpu_usage', window);
  const { vcpus } = model.snapshot.instances;
  const measured = percent.map((value, row) => (value / 100) * (vcpus[row] as number));
  const unmeasured = percent.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (unmeasured === percent.length)
    return {
      cpu: vcpus,
      notes: percent.length === 0 ? [] : ['no CPU load is measured: allocated vcpus count instead'],
    };
  const { use } = coverUse(model, { measured, allocated: vcpus, hosts: [] }, blocked);
  const notes =
    unmeasured === 0
      ? []
      : [
          `${counted(unmeasured, 'unmeasured instance')} of ${percent.length} count by the mean of those that are measured`,
        ];
  // Where nothing that runs is measured there is no mean.
  return { cpu: use.map((value, row) => (Number.isNaN(value) ? (vcpus[row] as number) : value)), notes };
}

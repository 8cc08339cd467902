import type { WhatIf } from '#libs/cluster-model';
import type { MetricAggregate } from '#libs/domain';
import type { MetricsReader } from '#libs/plugin-kit';
import type { BlockedTally } from '../blocked-tally.ts';
import { coverUse } from '../covered-use.ts';
import { counted } from '../rows.ts';

/** Use that instances make of their hosts. */
export interface Loads {
  /** In vcpus, of each instance. */
  cpu: Float64Array;
  /** Memory in MiB that is measured, of each instance; null where nobody asked for it or nothing is measured. */
  memory: Float64Array | null;
  /** For the report: what was estimated. */
  notes: string[];
}

/**
 * CPU load of every instance. Without a measurement of its own an instance has the measured mean of what is allocated; where nothing at all
 * is measured, allocations count and the notes say so. `memory`: whether its measured use is read too.
 */
export async function readLoads(
  model: WhatIf,
  metrics: MetricsReader,
  window: { periodSeconds: number; aggregate: MetricAggregate; memory: boolean },
  blocked: BlockedTally,
): Promise<Loads> {
  const { vcpus } = model.snapshot.instances;
  const percent = await metrics.instances('instance_cpu_usage', window);
  const measured = percent.map((value, row) => (value / 100) * (vcpus[row] as number));
  const cpu = covered(model, measured, vcpus, blocked);
  const memory = window.memory ? await readMemory(model, metrics, window, blocked) : { use: null, notes: [] };
  return {
    cpu: cpu.use ?? vcpus,
    memory: memory.use,
    notes: [
      ...(cpu.use === null && percent.length > 0 ? ['no CPU load is measured: allocated vcpus count instead'] : []),
      ...cpu.notes,
      ...memory.notes,
    ],
  };
}

async function readMemory(
  model: WhatIf,
  metrics: MetricsReader,
  window: { periodSeconds: number; aggregate: MetricAggregate },
  blocked: BlockedTally,
): Promise<{ use: Float64Array | null; notes: string[] }> {
  const measured = await metrics.instances('instance_ram_usage', window);
  const { use } = covered(model, measured, model.snapshot.instances.memory, blocked);
  return { use, notes: use === null ? ['no use of memory is measured: its hot limit counts for nothing'] : [] };
}

/** Use of every instance, as far as something is measured; null where nothing is. */
function covered(
  model: WhatIf,
  measured: Float64Array,
  allocated: Float64Array,
  blocked: BlockedTally,
): { use: Float64Array | null; notes: string[] } {
  const unmeasured = measured.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (unmeasured === measured.length) return { use: null, notes: [] };
  const { use } = coverUse(model, { measured, allocated, hosts: [] }, blocked);
  const notes =
    unmeasured === 0
      ? []
      : [
          `${counted(unmeasured, 'unmeasured instance')} of ${measured.length} count by the mean of those that are measured`,
        ];
  // Where nothing that runs is measured there is no mean.
  return { use: use.map((value, row) => (Number.isNaN(value) ? (allocated[row] as number) : value)), notes };
}

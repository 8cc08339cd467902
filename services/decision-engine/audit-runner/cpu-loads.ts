import { type ComputeSnapshot, isRunning, totalCpus } from '#libs/cluster-model';
import type { RecordedMetrics } from '#libs/plugin-kit';

/** CPU loads that the strategy of a run has read. */
export interface CpuLoads {
  /**
   * CPU load of a host in percent of its CPUs, with these instances on it. Undefined where the host or one of its
   * instances was not measured.
   */
  ofHost(host: number, instances: readonly number[]): number | undefined;
}

/**
 * The loads from the columns that the strategy has read, without a further query. If the host itself was measured, its
 * load without its instances stays on the host.
 * @returns undefined when the strategy has not read the CPU usage of instances
 */
export async function measuredCpuLoads(
  metrics: Pick<RecordedMetrics, 'known'>,
  snapshot: ComputeSnapshot,
): Promise<CpuLoads | undefined> {
  const instances = await metrics.known('instance_cpu_usage');
  if (instances === undefined) return undefined;
  const hosts = await metrics.known('host_cpu_usage', instances.window);
  const cpus = totalCpus(snapshot);
  const used = instances.column.map((percent, row) =>
    isRunning(snapshot, row) ? percent * vcpusOf(snapshot, row) : 0,
  );
  const shareOf = (host: number, rows: readonly number[]) =>
    rows.reduce((sum, row) => sum + (used[row] as number), 0) / (cpus[host] as number);
  const first = snapshot.hostInfo.map((): number[] => []);
  for (const [row, host] of snapshot.instances.host.entries()) first[host]?.push(row);
  const beside = first.map((rows, host) => {
    const measured = hosts?.column[host] ?? Number.NaN;
    return Number.isNaN(measured) ? 0 : measured - shareOf(host, rows);
  });
  return {
    ofHost(host, rows) {
      const load = (beside[host] as number) + shareOf(host, rows);
      return Number.isFinite(load) ? Math.max(0, load) : undefined;
    },
  };
}

function vcpusOf({ instances }: ComputeSnapshot, row: number): number {
  return instances.vcpus[row] as number;
}

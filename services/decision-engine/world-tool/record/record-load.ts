import type { HistoryReader } from '#libs/history';
import { createSemaphore } from '#libs/service-kit';
import { emptyLoad, type LoadColumn, type RecordedLoad, sampleOf } from '#libs/world-file';

/** A server or host whose load is recorded. `memory`: 100 % in the unit of its metric. */
export interface Recorded {
  /** Name in the history. */
  resource: string;
  memory: number;
  /** Set for servers only. */
  vcpus?: number;
}

const queriesAtOnce = 4;
const metrics = [
  ['serverCpu', 'instance_cpu_usage'],
  ['serverMemory', 'instance_ram_usage'],
  ['hostCpu', 'host_cpu_usage'],
  ['hostMemory', 'host_ram_usage'],
] as const satisfies readonly (readonly [LoadColumn, string])[];

/**
 * Reads the mean CPU and memory of all servers and hosts, with one grouped query for each metric and step. Rows are in
 * the given order. A step omits resources without a sample. Rejects with the error of the history.
 */
export async function recordLoad(
  history: Pick<HistoryReader, 'aggregate'>,
  { servers, hosts }: { servers: readonly Recorded[]; hosts: readonly Recorded[] },
  period: Pick<RecordedLoad, 'startMs' | 'stepSeconds' | 'steps'>,
  onStep: (done: number) => void = () => undefined,
): Promise<RecordedLoad> {
  const load = emptyLoad({ servers: servers.length, hosts: hosts.length }, period);
  const vcpus = new Map(servers.map(({ resource, vcpus: count = 0 }) => [resource, count]));
  const semaphore = createSemaphore(queriesAtOnce);
  let done = 0;

  async function readMetric(column: LoadColumn, metric: (typeof metrics)[number][1], step: number): Promise<void> {
    const rows = column.startsWith('server') ? servers : hosts;
    const values = await history.aggregate({
      metric,
      aggregate: 'mean',
      periodSeconds: period.stepSeconds,
      granularitySeconds: period.stepSeconds,
      endMs: period.startMs + (step + 1) * period.stepSeconds * 1000,
      vcpus,
    });
    if (values.size === 0) return;
    for (const [row, { resource, memory }] of rows.entries()) {
      const value = values.get(resource);
      if (value === undefined) continue;
      const percent = column.endsWith('Memory') ? (100 * value) / memory : value;
      load.columns[column][row * period.steps + step] = sampleOf(percent, load.percentStep);
    }
  }

  async function readStep(step: number): Promise<void> {
    const release = await semaphore.acquire();
    try {
      for (const [column, metric] of metrics) await readMetric(column, metric, step);
      onStep(++done);
    } finally {
      release();
    }
  }

  const failed = new AbortController();
  await Promise.all(
    Array.from({ length: period.steps }, async (_, step) => {
      try {
        if (!failed.signal.aborted) await readStep(step);
      } catch (error) {
        failed.abort();
        throw error;
      }
    }),
  );
  return load;
}

/** Samples of a series at most: five weeks of 5 minutes. */
export const mostSteps = 10_080;

/** Differences between two neighbouring values of a sample, in percent, finest first. */
export const percentSteps = [0.5, 1, 2] as const;
export type PercentStep = (typeof percentSteps)[number];

/** The byte of a sample that was not measured. */
export const missingSample = 255;
const largestSample = 250;

/** Recorded metrics in the order of the file. */
export const loadColumns = ['serverCpu', 'serverMemory', 'hostCpu', 'hostMemory'] as const;
export type LoadColumn = (typeof loadColumns)[number];

/**
 * Recorded load. A column has a row for each server or host of the inventory, in its order, and a byte for each step:
 * the value divided by `percentStep`, or 255 when nothing was measured. CPU is percent of the vCPUs of a server or of
 * the CPUs of a host, memory is percent of the flavor's or the host's memory.
 */
export interface RecordedLoad {
  /** Start of the first step, milliseconds since 1970. */
  startMs: number;
  stepSeconds: number;
  steps: number;
  percentStep: PercentStep;
  columns: Readonly<Record<LoadColumn, Uint8Array>>;
}

/** A load of so many rows without any sample. */
export function emptyLoad(
  { servers, hosts }: { servers: number; hosts: number },
  period: Pick<RecordedLoad, 'startMs' | 'stepSeconds' | 'steps'>,
): RecordedLoad {
  const column = (rows: number) => new Uint8Array(rows * period.steps).fill(missingSample);
  return {
    ...period,
    percentStep: percentSteps[0],
    columns: {
      serverCpu: column(servers),
      serverMemory: column(servers),
      hostCpu: column(hosts),
      hostMemory: column(hosts),
    },
  };
}

/** The byte of a percentage. Values above 250 steps are stored as 250 steps, negative ones as 0. */
export function sampleOf(percent: number, percentStep: PercentStep): number {
  if (!Number.isFinite(percent)) return missingSample;
  return Math.min(largestSample, Math.max(0, Math.round(percent / percentStep)));
}

/** Percent at a row and step. NaN when nothing was measured. */
export function recordedPercent(load: RecordedLoad, column: LoadColumn, row: number, step: number): number {
  const sample = load.columns[column][row * load.steps + step] ?? missingSample;
  return sample === missingSample ? Number.NaN : sample * load.percentStep;
}

/** The same load with coarser values. */
export function coarsen(load: RecordedLoad, percentStep: PercentStep): RecordedLoad {
  const factor = percentStep / load.percentStep;
  const coarser = (column: Uint8Array) =>
    column.map((sample) => (sample === missingSample ? sample : Math.round(sample / factor)));
  const columns = Object.fromEntries(loadColumns.map((name) => [name, coarser(load.columns[name])]));
  return { ...load, percentStep, columns: columns as Record<LoadColumn, Uint8Array> };
}

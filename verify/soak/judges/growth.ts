import { type Fault, type ResourceSample, type SoakRecord, timeOf } from '../record.ts';

/** Most rows of a table, and the time within which a task removes those above it. */
export interface RowBound {
  table: string;
  rows: number;
}

/** Samples before this share of the soak are warm-up, at least `leastWarmUpMs`. */
const warmUpShare = 0.25;
const leastWarmUpMs = 60_000;
/** Fewest samples after warm-up of which growth is judged. */
const leastSamples = 12;
/** Growth from the first to the last third after warm-up that is a fault. */
const memoryLimit = { ratio: 1.3, mib: 60 };
const descriptorLimit = { ratio: 1.3, count: 20 };

/**
 * Finds processes whose memory or descriptors grow from the first to the last third of the time after warm-up, and
 * tables that hold more rows than their bound in every sample of the last third.
 */
export function judgeGrowth(record: SoakRecord, bounds: readonly RowBound[]): Fault[] {
  const warmUpMs = Math.max(leastWarmUpMs, warmUpShare * (record.endMs - record.startMs));
  const samples = record.resources.filter(({ atMs }) => atMs >= record.startMs + warmUpMs);
  if (samples.length < leastSamples) return [];
  return [...growingProcesses(samples), ...bounds.flatMap((bound) => overfullTable(samples, bound))];
}

function growingProcesses(samples: readonly ResourceSample[]): Fault[] {
  const names = new Set(samples.flatMap(({ processes }) => [...processes.keys()]));
  return [...names].flatMap((name) => {
    const pid = samples.at(-1)?.processes.get(name)?.pid;
    // A process that was started again has other memory.
    const own = samples.flatMap(({ processes }) => {
      const found = processes.get(name);
      return found && found.pid === pid ? [found] : [];
    });
    if (own.length < leastSamples) return [];
    const [memoryBefore, memory] = thirds(own.map(({ rssMib }) => rssMib));
    const [openBefore, open] = thirds(own.map(({ descriptors }) => descriptors));
    const atMs = samples.at(-1)?.atMs ?? 0;
    const faults: Fault[] = [];
    const add = (text: string) => faults.push({ atMs, text: `${name} ${text}`, ids: [], evidence: own });
    if (memory > memoryBefore * memoryLimit.ratio && memory > memoryBefore + memoryLimit.mib) {
      add(`grew from ${Math.round(memoryBefore)} to ${Math.round(memory)} MiB`);
    }
    if (open > openBefore * descriptorLimit.ratio && open > openBefore + descriptorLimit.count) {
      add(`grew from ${Math.round(openBefore)} to ${Math.round(open)} open descriptors`);
    }
    return faults;
  });
}

/** Medians of the first and the last third. */
function thirds(values: readonly number[]): [number, number] {
  const third = Math.floor(values.length / 3);
  return [median(values.slice(0, third)), median(values.slice(-third))];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function overfullTable(samples: readonly ResourceSample[], { table, rows: bound }: RowBound): Fault[] {
  const last = samples.slice(-Math.floor(samples.length / 3));
  const counts = last.map(({ rows }) => rows.get(table) ?? 0);
  if (!counts.every((count) => count > bound)) return [];
  const atMs = last[0]?.atMs ?? 0;
  const text = `${table} holds ${Math.min(...counts)} rows or more from ${timeOf(atMs)} on; its bound is ${bound}`;
  return [{ atMs, text, ids: [], evidence: last.map((sample) => [sample.atMs, sample.rows.get(table)]) }];
}

import type { ScoringEnginePlugin } from '#libs/plugin-kit';
import { parseFeatures } from './features.ts';

const featureColumns = [
  'avg-cpu-percent',
  'mem-total-bytes',
  'mem-avail-bytes',
  'mem-page-reads-sec',
  'mem-page-writes-sec',
  'disk-read-bytes-sec',
  'disk-write-bytes-sec',
  'net-bytes-in-sec',
  'net-bytes-out-sec',
];

const metainfo = {
  feature_columns: featureColumns,
  result_columns: ['workload', 'idle-probability', 'cpu-probability', 'memory-probability', 'disk-probability'],
  workloads: ['idle', 'cpu-intensive', 'memory-intensive', 'disk-intensive'],
};

/** From this on a workload is said to be of a kind: percent, pages per second, bytes per second. */
const busy = { cpu: 80, pages: 1000, diskBytes: 50 * 1024 ** 2 };
/** From this on an otherwise idle workload may be of a kind. */
const suspicious = { cpu: 40, pages: 500 };

function classify([cpu = 0, , , reads = 0, writes = 0, diskRead = 0, diskWrite = 0]: number[]): number[] {
  if (cpu >= busy.cpu) return [1, 0, 100, 0, 0];
  if (Math.min(reads, writes) >= busy.pages) return [2, 0, 0, 100, 0];
  if (Math.min(diskRead, diskWrite) >= busy.diskBytes) return [3, 0, 0, 0, 100];
  return [0, 100, cpu >= suspicious.cpu ? 50 : 0, Math.max(reads, writes) >= suspicious.pages ? 50 : 0, 0];
}

/**
 * Tells by fixed limits what kind of workload nine telemetry numbers look like. The answer is a JSON list: index into the
 * metainfo's `workloads`, then the probability of each in percent.
 */
export const dummyScorer: ScoringEnginePlugin = {
  kind: 'scoring_engine',
  name: 'dummy_scorer',
  description: 'Dummy workload classifier',
  metainfo: JSON.stringify(metainfo),
  calculateScore: (features) => JSON.stringify(classify(parseFeatures(features, featureColumns.length))),
};

import { InvalidInputError, messageOf } from '#libs/domain';
import type { ScoringContainerPlugin, ScoringEnginePlugin } from '#libs/plugin-kit';

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
 * Classifies nine telemetry numbers into a kind of workload by fixed limits. The result is a JSON list: index into the
 * metainfo's `workloads`, then the probability of each in percent.
 */
const dummyScorer: ScoringEnginePlugin = {
  kind: 'scoring_engine',
  name: 'dummy_scorer',
  description: 'Dummy workload classifier',
  metainfo: JSON.stringify(metainfo),
  calculateScore: (features) => JSON.stringify(classify(parseFeatures(features, featureColumns.length))),
};

/**
 * Features as a JSON list of finite numbers: exactly `length` of them, or at least one when it is not given. Throws
 * InvalidInputError (field `features`).
 */
function parseFeatures(text: string, length?: number): number[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidInputError('features', `must be a JSON list of numbers: ${messageOf(error)}`);
  }
  if (!Array.isArray(value)) throw new InvalidInputError('features', 'must be a JSON list of numbers');
  const wrong = value.find((item) => typeof item !== 'number' || !Number.isFinite(item));
  if (wrong !== undefined) throw new InvalidInputError('features', `${JSON.stringify(wrong)} is not a number`);
  if (length === undefined ? value.length === 0 : value.length !== length) {
    throw new InvalidInputError('features', `must have ${length ?? 'at least 1'} numbers, not ${value.length}`);
  }
  return value;
}

function listScorer(name: string, what: string, score: (values: number[]) => number): ScoringEnginePlugin {
  return {
    kind: 'scoring_engine',
    name: `dummy_${name}_scorer`,
    description: `Dummy scorer: the ${what} of a list of numbers`,
    metainfo: '',
    calculateScore: (features) => JSON.stringify([score(parseFeatures(features))]),
  };
}

/** Minimum, maximum and mean of a JSON list of numbers, each as a JSON list of one number. */
const dummyScoringContainer: ScoringContainerPlugin = {
  kind: 'scoring_container',
  name: 'dummy_scoring_container',
  description: 'Shows how one plugin brings several scoring engines.',
  engines: () => [
    listScorer('min', 'minimum', (values) => values.reduce((least, value) => Math.min(least, value))),
    listScorer('max', 'maximum', (values) => values.reduce((most, value) => Math.max(most, value))),
    listScorer('avg', 'mean', (values) => values.reduce((sum, value) => sum + value, 0) / values.length),
  ],
};

/** All built-in scoring engines and containers of such. */
export const scoringCatalogue: readonly (ScoringEnginePlugin | ScoringContainerPlugin)[] = [
  dummyScorer,
  dummyScoringContainer,
];

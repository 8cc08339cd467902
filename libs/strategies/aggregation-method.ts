import type { MetricAggregate } from '#libs/domain';

/** Ways in which the samples of a window become one load: Watcher's, and percentiles. */
export const loadAggregates = ['mean', 'min', 'max', 'count', 'p50', 'p90', 'p95', 'p99'] satisfies MetricAggregate[];

/** Schema of a parameter that chooses one of them; `p95` judges by what is exceeded in a twentieth of the time. Not one of Watcher's. */
export const aggregationMethodSchema = {
  description: 'How the samples of the window become one number; p95 is exceeded in a twentieth of the time.',
  type: 'string',
  enum: loadAggregates.filter((aggregate) => aggregate !== 'count'),
} as const;

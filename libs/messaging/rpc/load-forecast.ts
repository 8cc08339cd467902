import type { SchemaValue } from '#libs/domain';
import { closedObject, componentOf, moment } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** Kinds of objects whose load can be forecast. */
export const forecastKinds = ['host', 'instance'] as const;
export type ForecastKind = (typeof forecastKinds)[number];

/** Loads that can be forecast, in percent of the size of the host or instance. */
export const forecastLoads = ['cpu', 'memory'] as const;
export type ForecastLoad = (typeof forecastLoads)[number];

/** Load at which a host or an aggregate is full, percent: the default target of the consolidators. */
export const usualFullAt = 80;

/** Hours of a forecast. */
export const forecastHours = { least: 1, most: 168, byDefault: 24 } as const;

/** `load.forecast`: the expected load of a host or an instance. */
export interface LoadForecastRequest {
  kind: ForecastKind;
  /** Host of the compute service, or uuid of the instance. */
  id: string;
  load: ForecastLoad;
  /** Number of hours from the current one on, 1 to 168. */
  hours: number;
  /** Load at which it is full, percent from 1 to 100. */
  full_at: number;
}

const expectedHourSchema = closedObject(
  {
    from: moment('Start of the hour.'),
    low: { type: 'number', description: 'Percent. Four of five values are expected between `low` and `high`.' },
    expected: { type: 'number', description: 'Percent.' },
    high: { type: 'number', description: 'Percent.' },
    samples: { type: 'integer', minimum: 0, description: 'Number of earlier values used; 0: the last value.' },
    text: { type: 'string', description: 'Description of the hour.' },
  },
  { $id: 'ExpectedHour' },
);

const forecastTrialSchema = closedObject(
  {
    verdict: {
      type: 'string',
      enum: ['won', 'lost', 'short'],
      description: '`won`: the forecast was better than the last value. `short`: too few comparisons.',
    },
    season: { type: ['string', 'null'], enum: ['day', 'week', null], description: 'Season that was tried.' },
    comparisons: { type: 'integer', minimum: 0, description: 'Compared forecasts of the past two weeks.' },
    error: { type: 'number', description: 'Mean absolute error of the forecast, percent.' },
    last_value_error: { type: 'number', description: 'Mean absolute error of the last value, percent.' },
    coverage: { type: 'number', description: 'Share of the values within the band before its widening, 0 to 1.' },
  },
  {
    $id: 'ForecastTrial',
    description: 'Comparison of the forecast with the last value, on the past of the same series.',
  },
);

export const loadTrendSchema = closedObject(
  {
    verdict: {
      type: 'string',
      enum: ['trend', 'none', 'short'],
      description: '`none`: not significant, or its backtest lost. `short`: fewer than 28 days.',
    },
    per_day: { type: ['number', 'null'], description: 'Percentage points a day; null without a trend.' },
    low_per_day: { type: ['number', 'null'], description: 'Bounds of the 90 % interval.' },
    high_per_day: { type: ['number', 'null'] },
    days: { type: 'integer', minimum: 0, description: 'Compared full days.' },
    text: { type: 'string', description: 'Description as a sentence.' },
  },
  { $id: 'LoadTrend' },
);

export const timeUntilFullSchema = closedObject(
  {
    verdict: {
      type: 'string',
      enum: ['full', 'days', 'falling', 'later', 'none', 'short', 'unmeasured'],
      description: '`later`: in more than ten years. `none`, `short`: there is no trend.',
    },
    days: { type: ['integer', 'null'], description: 'Days until full; null unless the verdict is `days`.' },
    low_days: { type: ['integer', 'null'], description: 'Bounds of the 90 % interval.' },
    high_days: {
      type: ['integer', 'null'],
      description: 'Upper bound of the days; null if the edge of the trend does not rise.',
    },
    text: { type: 'string', description: 'Description as a sentence.' },
  },
  { $id: 'TimeUntilFull' },
);

const loadForecastSchema = closedObject(
  {
    kind: { type: 'string', enum: forecastKinds },
    id: { type: 'string', description: 'Host of the compute service, or uuid of the instance.' },
    name: { type: 'string' },
    load: { type: 'string', enum: forecastLoads },
    at: moment('Creation time.'),
    last_value: { type: ['number', 'null'], description: 'Mean of the last full hour, percent; null: not measured.' },
    history_days: { type: 'integer', minimum: 0, description: 'Days since the first measured hour, at most 56.' },
    history_hours: { type: 'integer', minimum: 0, description: 'Measured hours in them.' },
    season: {
      type: ['string', 'null'],
      enum: ['day', 'week', null],
      description: 'Season of the forecast; null: the last value is used.',
    },
    verdict: { type: 'string', description: 'Use of the forecast and its reason, as a sentence.' },
    backtest: componentOf(forecastTrialSchema),
    trend: componentOf(loadTrendSchema),
    busy: { type: ['number', 'null'], description: '95th percentile of the hours of the last week, percent.' },
    full_at: { type: 'number', description: 'Percent.' },
    full: componentOf(timeUntilFullSchema),
    hours: { type: 'array', items: componentOf(expectedHourSchema), description: 'Details; empty if unknown.' },
  },
  { $id: 'LoadForecast' },
);

/** Components of the response. */
export const loadForecastSchemas = [
  expectedHourSchema,
  forecastTrialSchema,
  loadTrendSchema,
  timeUntilFullSchema,
  loadForecastSchema,
];

/** The expected load of a host or an instance. */
export type LoadForecastResponse = SchemaValue<typeof loadForecastSchema>;

/**
 * Refusals: `host_not_found`, `instance_not_found`, `model_not_available`, `history_not_available`, `invalid_input`.
 */
export const loadForecast: RpcTopic<LoadForecastRequest, LoadForecastResponse> = {
  topic: 'load.forecast',
  timeoutMs: 30_000,
};

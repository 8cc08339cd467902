import type { JsonObject, MetricAggregate } from '#libs/domain';
import { aggregationMethodSchema } from '../aggregation-method.ts';

/** Parameters of `outlet_temperature`. */
export type OutletTemperatureParameters = {
  /** °C from which on a host is hot; default 35. */
  threshold: number;
  /** Window of the temperature, seconds; default 30. */
  period: number;
  /** Seconds between two values of the history; default 300. */
  granularity: number;
  /** How samples of the window become one value; default mean. */
  aggregation_method?: MetricAggregate;
};

/** JSON Schema (draft 4) of the parameters. */
export const outletTemperatureParameters: JsonObject = {
  type: 'object',
  properties: {
    threshold: {
      description: 'Temperature at the outlet from which on a host is hot.',
      type: 'number',
      minimum: 0,
      default: 35.0,
    },
    period: {
      description: 'The time interval in seconds for getting statistic aggregation.',
      type: 'number',
      minimum: 1,
      default: 30,
    },
    granularity: {
      description: 'The time between two measures in an aggregated timeseries of a metric.',
      type: 'number',
      minimum: 0,
      default: 300,
    },
    aggregation_method: aggregationMethodSchema,
  },
};

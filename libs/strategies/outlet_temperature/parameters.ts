import type { JsonObject, SchemaValue } from '#libs/domain';
import { aggregationMethodSchema, granularitySchema } from '../shared/moves/shared-parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const outletTemperatureParameters = {
  type: 'object',
  properties: {
    threshold: {
      'x-texts': { de: { title: 'Schwellwert' } },
      description: 'Outlet temperature at which a host is hot.',
      'x-unit': '°C',
      type: 'number',
      minimum: 0,
      default: 35.0,
    },
    period: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeitraum' } },
      description: 'The time interval in seconds for getting statistic aggregation.',
      'x-unit': 's',
      type: 'number',
      minimum: 1,
      default: 30,
    },
    granularity: granularitySchema,
    aggregation_method: aggregationMethodSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `outlet_temperature`. */
export type OutletTemperatureParameters = SchemaValue<typeof outletTemperatureParameters>;

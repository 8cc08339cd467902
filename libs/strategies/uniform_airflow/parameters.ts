import type { JsonObject, SchemaValue } from '#libs/domain';
import { aggregationMethodSchema, granularitySchema } from '../shared/moves/shared-parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const uniformAirflowParameters = {
  type: 'object',
  properties: {
    threshold_airflow: {
      'x-texts': { de: { title: 'Schwellwert für den Luftstrom' } },
      description: 'Airflow threshold for migration, Unit is 0.1CFM.',
      'x-unit': '0.1 CFM',
      type: 'number',
      minimum: 0,
      default: 400.0,
    },
    threshold_inlet_t: {
      'x-texts': { de: { title: 'Schwellwert für die Einlasstemperatur' } },
      description: 'Inlet temperature threshold that distinguishes a hot room from a faulty host, in °C.',
      'x-unit': '°C',
      type: 'number',
      minimum: 0,
      default: 28.0,
    },
    threshold_power: {
      'x-texts': { de: { title: 'Schwellwert für die Leistungsaufnahme' } },
      description: 'System power threshold that distinguishes a busy host from a faulty one, in watts.',
      'x-unit': 'W',
      type: 'number',
      minimum: 0,
      default: 350.0,
    },
    period: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeitraum' } },
      description: 'Aggregate time period of the metrics, in seconds.',
      'x-unit': 's',
      type: 'number',
      minimum: 1,
      default: 300,
    },
    granularity: granularitySchema,
    aggregation_method: aggregationMethodSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `uniform_airflow`. */
export type UniformAirflowParameters = SchemaValue<typeof uniformAirflowParameters>;

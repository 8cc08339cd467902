import type { JsonObject, SchemaValue } from '#libs/domain';
import { aggregationMethodSchema } from '../shared/moves/shared-parameters.ts';

/** JSON Schema (draft 4) of the parameters. */
export const noisyNeighborParameters = {
  type: 'object',
  properties: {
    cache_threshold: {
      'x-texts': { de: { title: 'Schwellwert für den L3-Cache' } },
      description: 'Performance drop in L3 cache threshold for migration, in percent.',
      'x-unit': '%',
      type: 'number',
      minimum: 0,
      default: 35.0,
    },
    period: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Messzeitraum' } },
      description: 'Aggregate time period of the cache use, in seconds.',
      'x-unit': 's',
      type: 'number',
      minimum: 1,
      default: 100.0,
    },
    signal: {
      'x-texts': {
        de: { title: 'Anzeichen', values: { steal: 'Wartezeit auf CPUs', cache: 'L3-Cache' } },
      },
      description:
        'Signal of a disturbance: `steal` (waiting for CPUs), `cache` (L3 cache, as in Watcher), or `auto`, which ' +
        'uses steal if a data source has it, and cache otherwise.',
      type: 'string',
      enum: ['auto', 'steal', 'cache'],
      default: 'auto',
    },
    steal_threshold: {
      'x-texts': { de: { title: 'Schwellwert für CPU-Steal' } },
      description: 'Percent of time for which an instance may wait for CPUs (instance_cpu_steal).',
      'x-unit': '%',
      type: 'number',
      minimum: 0,
      maximum: 100,
      default: 10,
    },
    pressure_threshold: {
      'x-texts': { de: { title: 'Schwellwert für wartende CPU-Arbeit' } },
      description:
        'Percent of time for which tasks of a host may wait for CPUs (host_cpu_pressure). Used where no instance has ' +
        'steal.',
      'x-unit': '%',
      type: 'number',
      minimum: 0,
      maximum: 100,
      default: 25,
    },
    aggregation_method: aggregationMethodSchema,
  },
} as const satisfies JsonObject;

/** Parameters of `noisy_neighbor`. */
export type NoisyNeighborParameters = SchemaValue<typeof noisyNeighborParameters>;

import type { SchemaValue } from '#libs/domain';
import { loadTrendSchema, timeUntilFullSchema } from './load-forecast.ts';
import { closedObject, componentOf, moment } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** Kinds of objects that fill up by the growth of many instances. */
export const capacityKinds = ['aggregate', 'flavor'] as const;
export type CapacityKind = (typeof capacityKinds)[number];

/** `capacity.forecast`: when an aggregate is full, or when no host has room for a flavor. */
export interface CapacityForecastRequest {
  kind: CapacityKind;
  /** Name or id of an aggregate, name of a flavor that an instance has. */
  id: string;
  /** Load at which an aggregate is full, percent from 1 to 100. */
  full_at: number;
}

const capacityResourceSchema = closedObject(
  {
    resource: { type: 'string', enum: ['cpu', 'memory'] },
    basis: {
      type: 'string',
      enum: ['measured', 'allocated'],
      description: '`measured`: use of the physical size. `allocated`: sum of the flavors, of the capacity.',
    },
    size: { type: 'number', description: 'CPUs, or MiB.' },
    percent: { type: ['number', 'null'], description: 'Highest daily mean of the last week; null if not measured.' },
    trend: componentOf(loadTrendSchema),
    full: componentOf(timeUntilFullSchema),
  },
  { $id: 'CapacityResource' },
);

const capacityForecastSchema = closedObject(
  {
    kind: { type: 'string', enum: capacityKinds },
    id: { type: 'string' },
    name: { type: 'string' },
    at: moment('Creation time.'),
    full_at: { type: 'number', description: 'Percent. Of a flavor always 100.' },
    hosts: { type: 'integer', minimum: 0, description: 'Hosts of the aggregate, or hosts that accept the flavor.' },
    history_days: { type: 'integer', minimum: 0, description: 'Measured days, at most 42.' },
    places: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Further instances of the flavor that fit now; null for an aggregate.',
    },
    is_exact: { type: 'boolean', description: 'Whether `places` is exact; otherwise it is an upper bound.' },
    parts: {
      type: 'array',
      items: closedObject(
        {
          kind: { type: 'string', enum: ['zone', 'aggregate'] },
          name: { type: 'string' },
          hosts: { type: 'integer', minimum: 0 },
          places: { type: 'integer', minimum: 0 },
        },
        {},
      ),
      description: 'Room in each zone and aggregate, at most 100. Empty for an aggregate.',
    },
    resources: { type: 'array', items: componentOf(capacityResourceSchema) },
    full: componentOf(timeUntilFullSchema),
  },
  { $id: 'CapacityForecast', description: 'Time until full for each resource, and for the first of them.' },
);

/** Components of the response, in addition to those of `load.forecast`. */
export const capacityForecastSchemas = [capacityResourceSchema, capacityForecastSchema];

/** When an aggregate or a flavor is full. */
export type CapacityForecastResponse = SchemaValue<typeof capacityForecastSchema>;
/** One resource of an aggregate or a flavor. */
export type CapacityResource = SchemaValue<typeof capacityResourceSchema>;

/**
 * Refusals: `aggregate_not_found`, `flavor_not_found`, `model_not_available`, `history_not_available`, `invalid_input`.
 */
export const capacityForecast: RpcTopic<CapacityForecastRequest, CapacityForecastResponse> = {
  topic: 'capacity.forecast',
  timeoutMs: 60_000,
};

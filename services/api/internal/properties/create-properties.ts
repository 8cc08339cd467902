import { NotFoundError } from '#libs/domain';
import {
  type BackendLimits,
  createDynamicProperties,
  type DynamicProperties,
  type PropertyReading,
  type ValueCache,
} from '#libs/dynamic-properties';
import type { ClusterSummaryResponse } from '#libs/messaging';
import type { Metrics } from '#libs/service-kit';
import type { RouteDeps } from '../../api-deps.ts';
import { ApiFault, EngineUnavailableError } from '../../http/faults/fault.ts';
import { cloudProperties } from './cloud-properties.ts';
import { clusterId, engineProperties } from './engine-properties.ts';
import { hostProperties, type PropertyCloud } from './host-properties.ts';
import { ownProperties } from './own-properties.ts';

/** Sources of properties, and where they are kept. */
export interface PropertySources {
  metrics: Metrics;
  /** Null or absent: live properties of servers, hosts and volumes are not offered. */
  cloud?: PropertyCloud | null;
  /** Shared store of values. Null or absent: in the database. */
  propertyCache?: ValueCache | null;
}

/** Maximum parallel loads of one process, and loads per second. */
const backends: Record<string, BackendLimits> = {
  nova: { concurrency: 8, ratePerSecond: 40 },
  cinder: { concurrency: 4, ratePerSecond: 20 },
  ironic: { concurrency: 2, ratePerSecond: 10 },
  engine: { concurrency: 4, ratePerSecond: 20 },
  bus: { concurrency: 4, ratePerSecond: 20 },
  database: { concurrency: 4, ratePerSecond: 100 },
  memory: { concurrency: 100, ratePerSecond: 1000 },
};

/** The properties that this surface serves. */
export function createProperties(deps: RouteDeps & PropertySources): DynamicProperties {
  const { store, cloud, propertyCache, clock, newUuid, logger, metrics } = deps;
  const readValue = async (kind: string, id: string, name: string) => {
    const reading = await properties.read(kind, id, name);
    // Keeps the meaning for the property that is derived from this one.
    if (reading.error?.code === 'not_found') throw new NotFoundError(capitalized(kind), id);
    return requireValue(reading);
  };
  const properties: DynamicProperties = createDynamicProperties(
    { store: store.dynamicValues, cache: propertyCache ?? null, clock, newUuid, logger, metrics },
    {
      declarations: [
        ...(cloud ? [...cloudProperties(cloud), ...hostProperties(cloud, readValue)] : []),
        ...ownProperties(deps),
        ...engineProperties(deps, () => readValue('cluster', clusterId, 'summary') as Promise<ClusterSummaryResponse>),
      ],
      backends,
    },
  );
  return properties;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const statusOfCode: Record<string, number> = { not_found: 404, property_unknown: 404, property_late: 504 };

/**
 * The value of a reading, which may be stale.
 * @throws EngineUnavailableError, or ApiFault, when there is none: 404 for an unknown entity, 504 after the time limit,
 * else 502.
 */
export function requireValue({ value, ageSeconds, error }: PropertyReading): unknown {
  if (error && (ageSeconds === null || error.code === 'not_found')) {
    // Keeps the code for properties that are derived from this one.
    if (error.code === 'engine_away') throw new EngineUnavailableError(error.message);
    throw new ApiFault(statusOfCode[error.code] ?? 502, error.message);
  }
  return value;
}

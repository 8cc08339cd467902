import type { MetricAggregate } from '#libs/domain';

/** Conversion of a stored value to the unit of the catalogue: × scale + offset, within `least` and `most`. */
export interface CatalogueUnit {
  /** Not 0. Negative for inverted metrics such as idle time. Default 1. */
  scale: number;
  /** Default 0. */
  offset: number;
  /** The value is divided by the virtual CPUs of the instance. Default false. */
  perVcpu: boolean;
  /** Limits of the catalogue value. Default none. */
  least?: number;
  most?: number;
}

/** A bound of stored values, for sources that return only values beyond it. */
export interface StoredBound {
  operator: '>' | '<';
  value: number;
}

/**
 * The bound that all stored values exceed whose catalogue value is above `limit`, with any number of virtual CPUs.
 * Some values just below the limit also exceed it. Null when no catalogue value can be above the limit.
 * @param limit at least the offset, for values that are divided by virtual CPUs
 */
export function boundAbove({ scale, offset, most }: CatalogueUnit, limit: number): StoredBound | null {
  if (most !== undefined && most <= limit) return null;
  const exact = (limit - offset) / scale;
  // For the rounding of the conversion, and of the text of the bound.
  const margin = (Math.abs(exact) + 1) * 1e-9;
  return scale < 0 ? { operator: '<', value: exact + margin } : { operator: '>', value: exact - margin };
}

/** The values above a limit. */
export function above(values: ReadonlyMap<string, number>, limit: number): Map<string, number> {
  return new Map([...values].filter(([, value]) => value > limit));
}

/** A number as text without an exponent, which query languages may lack. At most 9 decimals. */
export function decimalText(value: number): string {
  return Math.abs(value) < 1e21 ? value.toFixed(9) : `${BigInt(Math.round(value))}.0`;
}

/**
 * Converts a stored number to the unit of the catalogue. Counts stay unchanged. Trends have neither offset nor limits.
 * Undefined when it is not a number, or when it must be divided by an unknown number of virtual CPUs.
 */
export function toCatalogue(
  { scale, offset, perVcpu, least, most }: CatalogueUnit,
  aggregate: MetricAggregate,
  stored: number,
  vcpus: number | undefined,
): number | undefined {
  if (!Number.isFinite(stored)) return undefined;
  if (aggregate === 'count') return stored;
  if (perVcpu && vcpus === undefined) return undefined;
  const share = perVcpu ? Math.max(1, vcpus ?? 1) : 1;
  if (aggregate === 'trend') return (stored * scale) / share;
  const value = (stored * scale) / share + offset;
  return Math.min(most ?? value, Math.max(least ?? value, value));
}

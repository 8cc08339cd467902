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

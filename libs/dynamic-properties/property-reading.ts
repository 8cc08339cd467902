import { labelOf, type PropertyDeclaration } from './declaration.ts';
import { PropertyLateError } from './errors.ts';
import { faultOf, type Loaded } from './loaders.ts';
import type { PropertyEntry, PropertyFault } from './value-store.ts';

/** A property as read. */
export interface PropertyReading {
  /** The value. Null also when there is none, and then `ageSeconds` is null. */
  value: unknown;
  ageSeconds: number | null;
  /** True when it is older than its time to live or may be outdated. */
  stale: boolean;
  /** Why it could not be loaded. `value` is then the last good one. */
  error: PropertyFault | null;
}

/** The known value of an entry, `found` unless there is none. */
export function readingOf(entry: PropertyEntry, found: Loaded | null): PropertyReading {
  const isFresh = found !== null && entry.value?.fresh === true;
  return {
    value: found?.value ?? null,
    ageSeconds: found && entry.value ? entry.value.ageSeconds : null,
    stale: found !== null && !isFresh,
    // A failure does not count when another process succeeded afterwards.
    error: isFresh ? null : entry.error,
  };
}

/** A value that was loaded for this read. */
export function freshReading(value: unknown): PropertyReading {
  return { value, ageSeconds: 0, stale: false, error: null };
}

/** No value, because of the error. */
export function failedReading(error: unknown): PropertyReading {
  return { value: null, ageSeconds: null, stale: false, error: faultOf(error) };
}

/**
 * The last value, with the reason that it was not loaded anew in time.
 * @throws PropertyLateError when there is no earlier value
 */
export function lateReading(declaration: PropertyDeclaration, last: PropertyReading): PropertyReading {
  const error = new PropertyLateError(labelOf(declaration), declaration.timeoutSeconds);
  if (last.ageSeconds === null) throw error;
  return { ...last, stale: true, error: faultOf(error) };
}

import type { DerivedField } from '../session/statement-cache.ts';
import type { Condition } from './filters.ts';

/** The row that a page begins after: its id, and its sort key as text (null when it has none). */
export interface MarkerRow {
  id: number;
  key: string | null;
}

/**
 * Rows after `marker` in the order of `field`, then `id`, both in the same direction. Rows without a value come first
 * when ascending and last when descending, as in Watcher's databases. The key travels as text because a JavaScript date
 * would lose its microseconds.
 */
export function afterMarker(field: DerivedField, direction: 'asc' | 'desc', marker: MarkerRow): Condition {
  const sign = direction === 'asc' ? '>' : '<';
  const parameters = { markerKey: marker.key, markerId: marker.id };
  const key = field.order ?? field.expression;
  const type = field.order === undefined ? field.type : 'text';
  if (marker.key === null) {
    const sameRank = `${key} IS NULL AND entity.id ${sign} :markerId`;
    return {
      sql: direction === 'asc' ? `(${key} IS NOT NULL OR (${sameRank}))` : `(${sameRank})`,
      parameters,
    };
  }
  const later = `(${key}, entity.id) ${sign} (CAST(:markerKey AS ${type}), :markerId)`;
  return { sql: direction === 'desc' && field.nullable !== false ? `(${later} OR ${key} IS NULL)` : later, parameters };
}

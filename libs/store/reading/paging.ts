import type { Condition } from './filters.ts';
import type { DerivedField } from './view.ts';

/** The row that a page begins after: its id, and its sort key as text (null when it has none). */
export interface MarkerRow {
  id: number;
  key: string | null;
}

/**
 * Rows after `marker` in the order of `field`, then `id`, both in the same direction. PostgreSQL sorts rows without a
 * value last when ascending and first when descending. The key travels as text because a JavaScript date would lose
 * its microseconds.
 */
export function afterMarker(field: DerivedField, direction: 'asc' | 'desc', marker: MarkerRow): Condition {
  const sign = direction === 'asc' ? '>' : '<';
  const parameters = { markerKey: marker.key, markerId: marker.id };
  if (marker.key === null) {
    const sameRank = `${field.expression} IS NULL AND entity.id ${sign} :markerId`;
    return {
      sql: direction === 'asc' ? `(${sameRank})` : `(${field.expression} IS NOT NULL OR (${sameRank}))`,
      parameters,
    };
  }
  const later = `(${field.expression}, entity.id) ${sign} (CAST(:markerKey AS ${field.type}), :markerId)`;
  return { sql: direction === 'asc' ? `(${later} OR ${field.expression} IS NULL)` : later, parameters };
}

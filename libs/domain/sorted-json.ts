import type { JsonValue } from './entities.ts';

/** A copy with sorted keys in all objects, so equal values have equal texts. Lists keep their order. */
export function sortedJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortedJson(value[key] ?? null)]));
}

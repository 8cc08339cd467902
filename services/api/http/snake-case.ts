import type { JsonValue } from '#libs/domain';

/** A stored document in the API's notation: property names in snake_case at every level. */
export function snakeCaseKeys(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(snakeCaseKeys);
  if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [snakeCase(key), snakeCaseKeys(entry)]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#libs/domain';

/**
 * Seed of the random numbers of a run: the same question to the same strategy has the same answer, whether it is asked by an
 * audit or by a preview of one. The order of property names does not matter: it is not the same in a request and in
 * what the database gives back.
 */
export function seedOf(strategy: string, parameters: JsonObject, scope: JsonValue): number {
  const text = JSON.stringify([strategy, sorted(parameters), sorted(scope)]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

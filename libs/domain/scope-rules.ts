import type { AuditScope, JsonObject, JsonValue } from './entities.ts';
import { InvalidInputError } from './errors.ts';

/** The objects of a list in a scope, none when it is absent. @throws InvalidInputError for anything else */
export function objectsOf(value: JsonValue | undefined, field: string): JsonObject[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidInputError(field, 'must be a list');
  return value.map((entry) => {
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) {
      throw new InvalidInputError(field, 'must be a list of objects');
    }
    return entry;
  });
}

/** The rules of the first `compute` entry with rules. */
export function computeRules(scope: AuditScope): JsonObject[] {
  for (const entry of scope) {
    const rules = objectsOf(entry.compute, 'scope.compute');
    if (rules.length > 0) return rules;
  }
  return [];
}

/** Names of the zones of a scope. Null: the scope has no limit of zones. */
function zonesOf(scope: AuditScope): string[] | null {
  const rules = computeRules(scope);
  const limits = rules.filter((rule) => rule.availability_zones !== undefined || rule.host_aggregates !== undefined);
  if (limits.length === 0 || limits.some((rule) => rule.host_aggregates !== undefined)) return null;
  const zones = limits.flatMap((rule) => rule.availability_zones as JsonObject[]);
  const names = zones.map(({ name }) => String(name));
  return names.includes('*') ? null : names;
}

/**
 * Whether two scopes may have common hosts, by their texts only: a host is in one availability zone and in any number
 * of aggregates.
 */
export function scopesMayOverlap(one: AuditScope, other: AuditScope): boolean {
  const [own, others] = [zonesOf(one), zonesOf(other)];
  return own === null || others === null || own.some((zone) => others.includes(zone));
}

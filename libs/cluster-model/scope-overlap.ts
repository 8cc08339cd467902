import type { AuditScope, JsonObject } from '#libs/domain';
import type { ComputeSnapshot } from './compute-snapshot.ts';
import { applyScope, computeRules } from './scope.ts';

/** Names of the zones that a scope is limited to. Null when it may have hosts of any zone. */
function zonesOf(scope: AuditScope): string[] | null {
  const rules = computeRules(scope);
  const limits = rules.filter((rule) => rule.availability_zones !== undefined || rule.host_aggregates !== undefined);
  if (limits.length === 0 || limits.some((rule) => rule.host_aggregates !== undefined)) return null;
  const zones = limits.flatMap((rule) => rule.availability_zones as JsonObject[]);
  const names = zones.map(({ name }) => String(name));
  return names.includes('*') ? null : names;
}

/**
 * Whether two scopes may have hosts in common, as far as their texts show: a host is in one availability zone and in
 * any number of aggregates.
 */
export function scopesMayOverlap(one: AuditScope, other: AuditScope): boolean {
  const [own, others] = [zonesOf(one), zonesOf(other)];
  return own === null || others === null || own.some((zone) => others.includes(zone));
}

/** Number of hosts of a cloud that are in both scopes. @throws InvalidInputError as `applyScope` */
export function hostsInBoth(whole: ComputeSnapshot, one: AuditScope, other: AuditScope): number {
  const own = new Set(applyScope(whole, one).snapshot.hostInfo.map(({ hostname }) => hostname));
  return applyScope(whole, other).snapshot.hostInfo.filter(({ hostname }) => own.has(hostname)).length;
}

import type { PlacementRule } from '#libs/domain';
import { timestamp } from '../http/timestamps.ts';

/** A rule of the operator as the internal API shows it. */
export function placementRuleBody(rule: PlacementRule): object {
  return {
    uuid: rule.uuid,
    name: rule.name,
    description: rule.description,
    kind: rule.kind,
    instances: rule.instances,
    hosts: rule.hosts,
    strict: rule.isStrict,
    max_per_host: rule.maxPerHost,
    enabled: rule.enabled,
    created_at: timestamp(rule.createdAt),
    updated_at: timestamp(rule.updatedAt),
  };
}

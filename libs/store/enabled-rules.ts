import type { PlacementRule } from '#libs/domain';
import type { UnitOfWork } from './unit.ts';

/** The operator's rules that are to be enforced, by name. */
export function enabledRules({ placementRules }: Pick<UnitOfWork, 'placementRules'>): Promise<PlacementRule[]> {
  return placementRules.list({ filters: [{ field: 'enabled', value: true }], sortKey: 'name' });
}

import type { PlanStaleness } from '#libs/domain';
import type { ChangedHost } from '../entities/plan-holds.ts';
import type { ActionPlanView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';

/** The age of a plan by the versions of its hosts. Its gain is evaluated elsewhere. */
export interface PlanAge {
  changes: ChangedHost[];
  age: Omit<PlanStaleness, 'gain' | 'gainUnknownBecause' | 'repeated'>;
}

/** Compares the host versions of a plan with the current versions. */
export async function readPlanAge(
  { planHolds }: Pick<UnitOfWork, 'planHolds'>,
  plan: Pick<ActionPlanView, 'id' | 'byOrder'>,
): Promise<PlanAge> {
  const { hosts, known } = await planHolds.count(plan.id);
  const changes = await planHolds.changed(plan.id);
  const names = changes.map(({ hostname }) => hostname);
  const migrations = names.length === 0 ? 0 : await planHolds.migrationsSince(plan.id, names);
  return { changes, age: { hosts, known, changed: changes.length, migrations, byOrder: plan.byOrder } };
}

/** Whether all of these changes were already accepted. */
export function areJudged(changes: readonly ChangedHost[], judged: readonly ChangedHost[]): boolean {
  const known = new Map(judged.map(({ hostname, current }) => [hostname, current]));
  return changes.every(({ hostname, current }) => known.has(hostname) && known.get(hostname) === current);
}

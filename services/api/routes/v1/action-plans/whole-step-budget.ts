import { effectOf, type WholeSteps, wholeSteps } from '#libs/actions';
import { migratingActionTypes, serviceActionTypes } from '#libs/domain';
import type { ActionPlanView, ActionView, UnitOfWork } from '#libs/store';
import { invalidField } from '../../../http/faults/fault.ts';

/** Actions that a limit of migrations left out of a plan. */
export interface PlanCut {
  max_migrations: number | null;
  actions_left_out: number;
  migrations_left_out: number;
  /** Hosts that the plan would have disabled. */
  hosts_left_out: string[];
}

/** @throws ApiFault 400 when `max_migrations` is too small for any step of the plan, with the number needed. */
export async function refuseSmallBudget(
  unit: Pick<UnitOfWork, 'actions'>,
  { uuid, maxMigrations, byOrder }: Pick<ActionPlanView, 'uuid' | 'maxMigrations' | 'byOrder'>,
): Promise<void> {
  if (maxMigrations === null) return;
  const { migrations, smallest } = wholeSteps(await unit.actions.listByPlan(uuid), { maxMigrations, byOrder });
  if (smallest === null || migrations.allowed > 0) return;
  throw invalidField('max_migrations', maxMigrations, needed(smallest));
}

function needed({ migrations, hosts }: NonNullable<WholeSteps['smallest']>): string {
  const emptied = hosts.length === 0 ? '' : `, which empty ${hosts.join(', ')}`;
  return `The smallest step of this action plan has ${migrations} migrations${emptied}. Set at least ${migrations}`;
}

/** Actions that the limit of an ended or running plan left out. Null when it left out none. */
export function cutOf({ maxMigrations }: ActionPlanView, leftOut: readonly ActionView[]): PlanCut | null {
  if (leftOut.length === 0) return null;
  const effects = leftOut.map(effectOf);
  const disabled = effects.filter(
    ({ actionType, inputParameters: { state } }) => serviceActionTypes.includes(actionType) && state === 'disabled',
  );
  return {
    max_migrations: maxMigrations,
    actions_left_out: leftOut.length,
    migrations_left_out: effects.filter(({ actionType }) => migratingActionTypes.includes(actionType)).length,
    hosts_left_out: disabled.map(({ inputParameters: input }) => String(input.resource_name ?? input.resource_id)),
  };
}

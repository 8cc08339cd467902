import { type ApprovalState, approvalStates, type EfficacyIndicator } from '#libs/domain';
import type { ActionPlanView, Filter, Store } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { getByUuid } from '../../../collections/find-entity.ts';
import { strategyFilter } from '../../../collections/goal-filters.ts';
import {
  commonSortKeys,
  type QueryArguments,
  textArgument,
  uuidArgument,
} from '../../../collections/query-arguments.ts';
import type { ResourceDefinition } from '../../../collections/register-collection.ts';
import { invalidField } from '../../../http/faults/fault.ts';
import { actionPlanBody } from '../../../views/action-plan-body.ts';

/** How action plans are found (by uuid only), listed and shown. */
export function createActionPlanResource(deps: RouteDeps): ResourceDefinition<ActionPlanView> {
  const { store } = deps;
  return {
    rules: {
      name: 'action_plans',
      entity: 'ActionPlan',
      sortKeys: {
        ...commonSortKeys,
        audit_id: 'auditId',
        strategy_id: 'strategyId',
        state: 'state',
        global_efficacy: 'globalEfficacy',
        hostname: 'hostname',
        status_message: 'statusMessage',
        audit_uuid: 'auditUuid',
        strategy_uuid: 'strategyUuid',
        strategy_name: 'strategyName',
      },
      filterArguments: ['audit_uuid', 'strategy', 'approval'],
      uuidArguments: ['audit_uuid'],
      markerForm: 'uuid',
    },
    uuidIdent: 'action_plan_uuid',
    singular: 'action_plan',
    schema: 'ActionPlan',
    reader: store.db.actionPlans,
    filters: (query) => planFilters(store, query),
    find: (ident, options) => findActionPlan(deps, ident, options),
    serialize: async (rows, extent, context) => {
      const indicators = await loadIndicators(store, rows, context.showDeleted);
      return rows.map((row) => actionPlanBody(row, indicators.get(row.id) ?? [], extent, context));
    },
    identOf: (row) => row.uuid,
  };
}

/** @throws ApiFault 400 when `ident` is not a uuid, NotFoundError. */
export function findActionPlan(
  deps: RouteDeps,
  ident: string,
  options?: { showDeleted: boolean },
): Promise<ActionPlanView> {
  return getByUuid(deps.store.db.actionPlans, { entity: 'ActionPlan', argument: 'action_plan_uuid' }, ident, options);
}

/** @throws ApiFault 400 for a text that is no state of an approval. */
function approvalArgument(given: string): ApprovalState {
  const known = approvalStates.find((state) => state === given);
  if (!known) throw invalidField('approval', given, `Value should be one of: ${approvalStates.join(', ')}`);
  return known;
}

async function planFilters(store: Store, query: QueryArguments): Promise<Filter<ActionPlanView>[]> {
  const auditUuid = uuidArgument(query, 'audit_uuid');
  const strategy = textArgument(query, 'strategy');
  const filters: Filter<ActionPlanView>[] = [];
  if (auditUuid !== undefined) filters.push({ field: 'auditUuid', value: auditUuid });
  const approval = textArgument(query, 'approval');
  if (approval) filters.push({ field: 'approval', value: approvalArgument(approval) });
  if (strategy) filters.push(await strategyFilter<ActionPlanView>(store, strategy));
  return filters;
}

async function loadIndicators(
  store: Store,
  plans: ActionPlanView[],
  showDeleted: boolean,
): Promise<Map<number, EfficacyIndicator[]>> {
  const byPlan = new Map<number, EfficacyIndicator[]>(plans.map((plan) => [plan.id, []]));
  if (plans.length === 0) return byPlan;
  const rows = await store.db.efficacyIndicators.list({
    filters: [{ field: 'actionPlanId', op: 'in', value: [...byPlan.keys()] }],
    showDeleted,
  });
  for (const row of rows) byPlan.get(row.actionPlanId)?.push(row);
  return byPlan;
}

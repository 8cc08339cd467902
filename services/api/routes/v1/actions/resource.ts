import type { ActionView, Filter } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { getByUuid } from '../../../collections/find-entity.ts';
import { commonSortKeys, type QueryArguments, uuidArgument } from '../../../collections/query-arguments.ts';
import type { ResourceDefinition } from '../../../collections/register-collection.ts';
import { badRequest } from '../../../http/faults/fault.ts';
import { actionBody } from '../../../views/action-body.ts';

/** How actions are found (by uuid only), listed and shown. */
export function createActionResource(deps: RouteDeps): ResourceDefinition<ActionView> {
  const { db } = deps.store;
  return {
    rules: {
      name: 'actions',
      entity: 'Action',
      sortKeys: {
        ...commonSortKeys,
        action_plan_id: 'actionPlanId',
        action_type: 'actionType',
        input_parameters: 'inputParameters',
        state: 'state',
        parents: 'parents',
        status_message: 'statusMessage',
        action_plan_uuid: 'actionPlanUuid',
      },
      filterArguments: ['action_plan_uuid', 'audit_uuid'],
      uuidArguments: ['action_plan_uuid', 'audit_uuid'],
      checkArguments: refuseBothFilters,
      markerForm: 'uuid',
    },
    uuidIdent: 'action_uuid',
    singular: 'action',
    schema: 'Action',
    reader: db.actions,
    filters: actionFilters,
    find: (ident, options) => findAction(deps, ident, options),
    serialize: async (rows, extent, context) => {
      const texts = extent === 'full' && rows.length > 0 ? await db.actionDescriptions.list() : [];
      const descriptions = new Map(texts.map(({ actionType, description }) => [actionType, description]));
      return rows.map((row) => actionBody(row, descriptions, extent, context));
    },
    identOf: (row) => row.uuid,
  };
}

/** @throws ApiFault 400 when `ident` is not a uuid, NotFoundError. */
export function findAction(deps: RouteDeps, ident: string, options?: { showDeleted: boolean }): Promise<ActionView> {
  return getByUuid(deps.store.db.actions, { entity: 'Action', argument: 'action_uuid' }, ident, options);
}

function refuseBothFilters(query: QueryArguments): void {
  if (query.action_plan_uuid !== undefined && query.audit_uuid !== undefined) {
    throw badRequest('Filtering actions on both audit and action-plan is prohibited');
  }
}

async function actionFilters(query: QueryArguments): Promise<Filter<ActionView>[]> {
  const actionPlanUuid = uuidArgument(query, 'action_plan_uuid');
  if (actionPlanUuid !== undefined) return [{ field: 'actionPlanUuid', value: actionPlanUuid }];
  const auditUuid = uuidArgument(query, 'audit_uuid');
  return auditUuid === undefined ? [] : [{ field: 'auditUuid', value: auditUuid }];
}

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { limitArgument, queryArguments, uuidArgument } from '../../collections/query-arguments.ts';
import { component, count, strict, uuid } from '../../openapi/shared-schemas.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

/** Components of the route of the totals. */
const planTotalSchemas = [
  Type.Object(
    {
      audit_uuid: uuid('Audit that created the plans.'),
      strategy: Type.String({ description: 'Name of the strategy.' }),
      day: Type.String({ format: 'date', description: 'UTC day of creation.' }),
      state: Type.String({ description: 'End state.' }),
      plans: count('Removed plans.'),
      actions: count('Actions of the plans.'),
      succeeded_actions: count('Succeeded actions.'),
      failed_actions: count('Failed actions.'),
    },
    { $id: 'PlanTotal', ...strict },
  ),
  Type.Object({ plan_totals: Type.Array(component('PlanTotal')) }, { $id: 'PlanTotalList', ...strict }),
];

const names = ['audit_uuid', 'limit'];
/** Two releases have the route, 0.2.0 and 0.3.0. */
const removal = '0.4.0';
const deprecation = { since: new Date('2026-11-27T00:00:00Z'), sunset: new Date('2027-11-27T00:00:00Z') };

/** `GET /internal/plan-totals`: totals of action plans that retention has removed. No part of Vigil calls it. */
export function registerPlanTotalRoutes(app: FastifyInstance, { store, maxLimit }: InternalDeps): void {
  for (const schema of planTotalSchemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'plan-totals',
    operationId: 'list_plan_totals',
    summary: `Removed action plans by audit, day and state, newest day first (deprecated, removed in ${removal})`,
    query: {
      audit_uuid: Type.Optional(Type.String({ format: 'uuid', description: 'Only plans of this audit.' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Maximum number of rows; default: the allowed maximum.' }),
      ),
    },
    response: 'PlanTotalList',
  });
  app.get('/plan-totals', { schema, config: { deprecation } }, async (request) => {
    const query = queryArguments(request, names);
    const limit = limitArgument(query, maxLimit, maxLimit);
    const totals = await store.retention.planTotals({ auditUuid: uuidArgument(query, 'audit_uuid'), limit });
    return {
      plan_totals: totals.map(({ auditUuid, succeededActions, failedActions, ...total }) => ({
        audit_uuid: auditUuid,
        ...total,
        succeeded_actions: succeededActions,
        failed_actions: failedActions,
      })),
    };
  });
}

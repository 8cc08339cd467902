import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { PlanEnd } from '#libs/store';
import { countArgument, queryArguments } from '../../collections/query-arguments.ts';
import { timestamp } from '../../http/watcher-text/timestamps.ts';
import { component, nullableText, strict, uuid, words } from '../../openapi/shared-schemas.ts';
import { listRules } from '../../route-rules.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

const defaultDays = 14;
const maxDays = 28;
const maxPlans = 500;

const planEndSchemas = [
  Type.Object(
    {
      uuid: uuid('The plan.'),
      state: words(['SUCCEEDED', 'FAILED', 'CANCELLED'], 'Result.'),
      strategy_name: nullableText('Strategy that created the plan.'),
      status_message: nullableText('Reason of the state.'),
      started_at: nullableText('Start of the first action, ISO 8601 with offset; null if none started.'),
      ended_at: Type.String({
        description: 'End of the last action, otherwise the last change; ISO 8601 with offset.',
      }),
    },
    { $id: 'PlanEnd', ...strict },
  ),
  Type.Object(
    {
      plans: Type.Array(component('PlanEnd'), {
        description: `Newest first, ${maxPlans} at most. Without those that succeeded without any action.`,
      }),
    },
    { $id: 'PlanEndList', ...strict },
  ),
];

/** `GET /internal/plan-ends`: every plan that ended in the last days, with its result. */
export function registerPlanEndRoute(app: FastifyInstance, { store, clock }: InternalDeps): void {
  for (const schema of planEndSchemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'trends',
    operationId: 'list_plan_ends',
    summary: 'Plans that ended in the last days, with their results',
    query: {
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: maxDays, description: `Number of days; default ${defaultDays}.` }),
      ),
    },
    response: 'PlanEndList',
  });
  app.get('/plan-ends', { schema, config: { rules: listRules.trends } }, async (request) => {
    const days = countArgument(queryArguments(request, ['days']), 'days', defaultDays, maxDays);
    const plans = await store.trends.ends(new Date(clock.now() - days * 86_400_000), maxPlans);
    return { plans: plans.map(planEndBody) };
  });
}

function planEndBody({ uuid: ident, state, strategyName, statusMessage, startedAt, endedAt }: PlanEnd) {
  return {
    ...{ uuid: ident, state, strategy_name: strategyName, status_message: statusMessage },
    ...{ started_at: timestamp(startedAt), ended_at: timestamp(endedAt) },
  };
}

import type { FastifyInstance } from 'fastify';
import { NotFoundError } from '#libs/domain';
import { strategyInfo } from '#libs/messaging';
import type { StrategyView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { goalFilter } from '../../../collections/goal-filters.ts';
import { textArgument } from '../../../collections/query-arguments.ts';
import {
  authorizedRow,
  type ResourceDefinition,
  registerCollection,
} from '../../../collections/register-collection.ts';
import { commonSortKeys } from '../../../collections/sort-keys.ts';
import { askEngine } from '../../../http/ask-engine.ts';
import { ApiFault, badRequest } from '../../../http/fault.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { strategyBody } from './serializer.ts';

/** Reads of strategies, which the decision engine writes at its start. */
export function registerStrategyRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { db } = deps.store;
  const strategies: ResourceDefinition<StrategyView> = {
    rules: {
      name: 'strategies',
      entity: 'Strategy',
      sortKeys: {
        ...commonSortKeys,
        name: 'name',
        display_name: 'displayName',
        goal_id: 'goalId',
        parameters_spec: 'parametersSpec',
        goal_uuid: 'goalUuid',
        goal_name: 'goalName',
      },
      filterArguments: ['goal'],
      markerForm: 'text',
    },
    singular: 'strategy',
    schema: 'Strategy',
    reader: db.strategies,
    filters: async (query) => {
      const goal = textArgument(query, 'goal');
      return goal ? [await goalFilter<StrategyView>(deps.store, goal)] : [];
    },
    serialize: async (rows, extent, context) => rows.map((row) => strategyBody(row, extent, context)),
    identOf: (row) => row.uuid,
  };
  registerCollection(app, deps, strategies);
  const stateSchema = describe({
    tag: 'strategies',
    operationId: 'get_strategy_state',
    summary: 'What the strategy needs and whether it is there',
    params: { ident: 'Uuid or name.' },
    answer: 'StrategyState',
    refusals: [404, 500],
  });
  app.get<{ Params: { ident: string } }>('/v1/strategies/:ident/state', { schema: stateSchema }, async (request) => {
    const { name } = await authorizedRow(deps, strategies, request, 'strategy:state');
    const { requirements } = await askEngine(
      deps,
      strategyInfo,
      { strategy_name: name },
      {
        strategy_not_found: () => new ApiFault(404, new NotFoundError('Strategy', name).message),
      },
    );
    return [...requirements, { type: 'Name', state: name, mandatory: '', comment: '' }];
  });
  app.get('/v1/strategies/state', { schema: { hide: true } }, async () => {
    throw badRequest('Missing argument: "strategy"');
  });
}

import type { FastifyInstance } from 'fastify';
import type { StrategyView } from '#libs/store';
import { visibleUuids } from '../../../collections/find-entity.ts';
import { goalFilter } from '../../../collections/goal-filters.ts';
import { textArgument } from '../../../collections/query-arguments.ts';
import { type ResourceDefinition, registerCollection } from '../../../collections/register-collection.ts';
import { commonSortKeys } from '../../../collections/sort-keys.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { badRequest } from '../../../http/fault.ts';
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
    serialize: async (rows, extent, context) => {
      const goals = await visibleUuids(
        db.goals,
        rows.map((row) => row.goalUuid),
        context,
      );
      return rows.map((row) => strategyBody(row, goals, extent, context));
    },
    identOf: (row) => row.uuid,
  };
  registerCollection(app, deps, strategies);
  app.get('/v1/strategies/state', { schema: { hide: true } }, async () => {
    throw badRequest('Missing argument: "strategy"');
  });
}

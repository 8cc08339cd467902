import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { NotFoundError } from '#libs/domain';
import { strategyInfo } from '#libs/messaging';
import type { StrategyView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { goalFilter } from '../../../collections/goal-filters.ts';
import { commonSortKeys, textArgument } from '../../../collections/query-arguments.ts';
import {
  authorizedRow,
  type ResourceDefinition,
  registerCollection,
} from '../../../collections/register-collection.ts';
import { callEngine } from '../../../http/call-engine.ts';
import { ApiFault, badRequest } from '../../../http/faults/fault.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import {
  linksSchema,
  nullableText,
  nullableUuid,
  resourceSchemas,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';
import { strategyBody } from '../../../views/read-only-bodies.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  display_name: Type.String(),
  goal_uuid: nullableUuid('Goal that the strategy serves.'),
  goal_name: nullableText('Name of that goal.'),
  links: linksSchema,
};
const allFields = {
  ...listFields,
  parameters_spec: Type.Object(
    {},
    { additionalProperties: true, description: 'JSON Schema (draft 4) of the parameters; empty when there are none.' },
  ),
};

/** Components of the OpenAPI document for strategies. */
export const strategySchemas = [
  ...resourceSchemas('Strategy', 'strategies', listFields, allFields),
  Type.Array(
    Type.Object(
      {
        type: words(['Datasource', 'Metrics', 'CDM', 'Name'], 'Requirement; the last entry is the name.'),
        state: Type.Union([Type.String(), Type.Array(Type.Object({}, { additionalProperties: Type.String() }))], {
          description: 'Availability; for metrics and models one object each, with its name.',
        }),
        mandatory: Type.Union([Type.Boolean(), Type.Literal('')]),
        comment: Type.String({ description: 'Problem; empty without one.' }),
      },
      { additionalProperties: false },
    ),
    { $id: 'StrategyState' },
  ),
];

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
    summary: 'Requirements of the strategy and their availability',
    params: { ident: 'Uuid or name.' },
    response: 'StrategyState',
    refusals: [404, 500],
  });
  app.get<{ Params: { ident: string } }>('/v1/strategies/:ident/state', { schema: stateSchema }, async (request) => {
    const { name } = await authorizedRow(deps, strategies, request, 'strategy:state');
    const { requirements } = await callEngine(
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

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Goal } from '#libs/domain';
import type { RouteDeps } from '../../../api-deps.ts';
import { commonSortKeys } from '../../../collections/query-arguments.ts';
import { registerCollection } from '../../../collections/register-collection.ts';
import { linksSchema, nullableText, resourceSchemas, timestampFields, uuid } from '../../../openapi/shared-schemas.ts';
import { goalBody } from '../../../views/read-only-bodies.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  display_name: Type.String(),
  efficacy_specification: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      unit: nullableText('Unit of the value.'),
      schema: Type.String({ description: 'JSON Schema of the value, as text.' }),
    }),
    { description: 'Indicators of plans for this goal.' },
  ),
  links: linksSchema,
};

/** Components of the OpenAPI document for goals. */
export const goalSchemas = resourceSchemas('Goal', 'goals', listFields, { ...listFields, ...timestampFields });

/** Reads of goals, which the decision engine writes at its start. */
export function registerGoalRoutes(app: FastifyInstance, deps: RouteDeps): void {
  registerCollection<Goal>(app, deps, {
    rules: {
      name: 'goals',
      entity: 'Goal',
      sortKeys: {
        ...commonSortKeys,
        name: 'name',
        display_name: 'displayName',
        efficacy_specification: 'efficacySpecification',
      },
      filterArguments: [],
      markerForm: 'text',
    },
    singular: 'goal',
    schema: 'Goal',
    reader: deps.store.db.goals,
    serialize: async (rows, extent, context) => rows.map((row) => goalBody(row, extent, context)),
    identOf: (row) => row.uuid,
  });
}

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ScoringEngine } from '#libs/domain';
import type { RouteDeps } from '../../../api-deps.ts';
import { commonSortKeys } from '../../../collections/query-arguments.ts';
import { registerCollection } from '../../../collections/register-collection.ts';
import { linksSchema, nullableText, resourceSchemas, uuid } from '../../../openapi/shared-schemas.ts';
import { scoringEngineBody } from '../../../views/read-only-bodies.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  description: nullableText('Description.'),
  links: linksSchema,
};

/** Components of the OpenAPI document for scoring engines. */
export const scoringEngineSchemas = resourceSchemas('ScoringEngine', 'scoring_engines', listFields, {
  ...listFields,
  metainfo: nullableText('Metadata of the engine, often JSON as text.'),
});

/** Reads of scoring engines, which the decision engine writes at its start. */
export function registerScoringEngineRoutes(app: FastifyInstance, deps: RouteDeps): void {
  registerCollection<ScoringEngine>(app, deps, {
    rules: {
      name: 'scoring_engines',
      entity: 'ScoringEngine',
      sortKeys: { ...commonSortKeys, name: 'name', description: 'description', metainfo: 'metainfo' },
      filterArguments: [],
      markerForm: 'text',
    },
    singular: 'scoring_engine',
    schema: 'ScoringEngine',
    reader: deps.store.db.scoringEngines,
    serialize: async (rows, extent, context) => rows.map((row) => scoringEngineBody(row, extent, context)),
    identOf: (row) => row.uuid,
  });
}

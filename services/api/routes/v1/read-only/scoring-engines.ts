import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ScoringEngine } from '#libs/domain';
import type { RouteDeps } from '../../../api-deps.ts';
import { commonSortKeys } from '../../../collections/query-arguments.ts';
import { type Extent, registerCollection, type ViewContext } from '../../../collections/register-collection.ts';
import { objectLinks } from '../../../http/request/links.ts';
import { linksSchema, nullableText, resourceSchemas, uuid } from '../../../openapi/shared-schemas.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  name: Type.String({ description: 'Unique name.' }),
  description: nullableText('For people.'),
  links: linksSchema,
};

/** Components of the OpenAPI document for scoring engines. */
export const scoringEngineSchemas = resourceSchemas('ScoringEngine', 'scoring_engines', listFields, {
  ...listFields,
  metainfo: nullableText('Metadata of the engine, often JSON as text.'),
});

/** A scoring engine as the API shows it. Never has timestamps. */
export function scoringEngineBody(engine: ScoringEngine, extent: Extent, { host }: ViewContext): object {
  return {
    uuid: engine.uuid,
    name: engine.name,
    description: engine.description,
    ...(extent === 'full' ? { metainfo: engine.metainfo } : {}),
    links: objectLinks(host, 'scoring_engines', engine.uuid),
  };
}

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

import type { FastifyInstance } from 'fastify';
import type { ScoringEngine } from '#libs/domain';
import type { RouteDeps } from '../../../api-deps.ts';
import { type ResourceDefinition, registerCollection } from '../../../collections/register-collection.ts';
import { commonSortKeys } from '../../../collections/sort-keys.ts';
import { scoringEngineBody } from './serializer.ts';

/** Reads of scoring engines, which the decision engine writes at its start. */
export function registerScoringEngineRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const engines: ResourceDefinition<ScoringEngine> = {
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
  };
  registerCollection(app, deps, engines);
}

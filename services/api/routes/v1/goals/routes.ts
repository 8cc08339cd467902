import type { FastifyInstance } from 'fastify';
import type { Goal } from '#libs/domain';
import type { RouteDeps } from '../../../api-deps.ts';
import { type ResourceDefinition, registerCollection } from '../../../collections/register-collection.ts';
import { commonSortKeys } from '../../../collections/sort-keys.ts';
import { goalBody } from './serializer.ts';

/** Reads of goals, which the decision engine writes at its start. */
export function registerGoalRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const goals: ResourceDefinition<Goal> = {
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
  };
  registerCollection(app, deps, goals);
}

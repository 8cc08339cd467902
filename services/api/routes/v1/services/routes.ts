import type { FastifyInstance } from 'fastify';
import type { ServiceView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { type ResourceDefinition, registerCollection } from '../../../collections/register-collection.ts';
import { serviceBody } from './serializer.ts';

/** Reads of the services of the deployment and whether they are alive. */
export function registerServiceRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const services: ResourceDefinition<ServiceView> = {
    rules: {
      name: 'services',
      entity: 'Service',
      sortKeys: {
        id: 'id',
        name: 'name',
        host: 'host',
        last_seen_up: 'lastSeenUp',
        created_at: 'createdAt',
        updated_at: 'updatedAt',
        deleted_at: 'deletedAt',
        status: 'status',
      },
      filterArguments: [],
      markerForm: 'int',
    },
    singular: 'service',
    schema: 'Service',
    reader: deps.store.db.services,
    serialize: async (rows, extent, context) => rows.map((row) => serviceBody(row, extent, context)),
    identOf: (row) => row.id,
  };
  registerCollection(app, deps, services);
}

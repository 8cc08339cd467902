import type { FastifyInstance } from 'fastify';
import { NotFoundError } from '#libs/domain';
import type { ListQuery, ServiceRepository, ServiceView } from '#libs/store';
import type { EntityReader } from '../../../collections/find-entity.ts';
import { type ResourceDefinition, registerCollection } from '../../../collections/register-collection.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
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
        // Services are never deleted, so the order is that of the ids.
        deleted_at: 'id',
        status: 'status',
      },
      filterArguments: [],
      markerForm: 'int',
    },
    singular: 'service',
    schema: 'Service',
    reader: readerOf(deps.store.db.services),
    serialize: async (rows, extent, context) => rows.map((row) => serviceBody(row, extent, context)),
    identOf: (row) => row.id,
  };
  registerCollection(app, deps, services);
}

function readerOf(repository: ServiceRepository): EntityReader<ServiceView> {
  return {
    find: async (ident) => {
      try {
        return await repository.get(ident);
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
    list: (query?: ListQuery<ServiceView>) => repository.list(query),
  };
}

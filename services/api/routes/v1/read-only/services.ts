import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ServiceView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { registerCollection } from '../../../collections/register-collection.ts';
import { linksSchema, nullableText, resourceSchemas, timestampFields, words } from '../../../openapi/shared-schemas.ts';
import { serviceBody } from '../../../views/read-only-bodies.ts';

const listFields = {
  id: Type.Integer({ description: 'Identifier; services have no uuid.' }),
  name: Type.String({ description: 'Name of the service, such as `watcher-applier`.' }),
  host: Type.String(),
  status: words(['ACTIVE', 'FAILED'], 'ACTIVE after a heartbeat within the last 90 s.'),
  links: linksSchema,
};

/** Components of the OpenAPI document for services. */
export const serviceSchemas = resourceSchemas('Service', 'services', listFields, {
  ...listFields,
  last_seen_up: nullableText('ISO 8601 without offset, UTC.'),
  ...timestampFields,
});

/** Reads of the services of the deployment and whether they are alive. */
export function registerServiceRoutes(app: FastifyInstance, deps: RouteDeps): void {
  registerCollection<ServiceView>(app, deps, {
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
  });
}

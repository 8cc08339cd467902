import { Type } from 'typebox';
import { linksSchema, listSchema, nullableText, timestampFields, words } from '../../../openapi/shared-schemas.ts';

const listFields = {
  id: Type.Integer({ description: 'Identifier; services have no uuid.' }),
  name: Type.String({ description: 'Such as `watcher-applier`.' }),
  host: Type.String(),
  status: words(['ACTIVE', 'FAILED'], 'ACTIVE when seen within the last 90 s.'),
  links: linksSchema,
};

/** Components of the OpenAPI document for services. */
export const serviceSchemas = [
  Type.Object(
    { ...listFields, last_seen_up: nullableText('ISO 8601 without offset, UTC.'), ...timestampFields },
    { $id: 'Service', additionalProperties: false },
  ),
  Type.Object(listFields, { $id: 'ServiceListEntry', additionalProperties: false }),
  listSchema('ServiceList', 'services', 'ServiceListEntry'),
  listSchema('ServiceDetailList', 'services', 'Service'),
];

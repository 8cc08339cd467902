import type { FieldReader } from '../service/field-reader.ts';
import type { ResourceProvider } from './types.ts';

/** One row of `GET /resource_providers`. */
export function parseResourceProvider(fields: FieldReader): ResourceProvider {
  return {
    uuid: fields.text('uuid'),
    name: fields.textOr('name', ''),
    generation: fields.number('generation'),
    parentUuid: fields.optionalText('parent_provider_uuid'),
  };
}

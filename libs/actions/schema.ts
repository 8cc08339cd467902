import type { JsonObject } from '#libs/domain';

/** 8-4-4-4-12 hexadecimal digits, both cases. */
export const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

/** The common frame of the input schemas of all action types: a closed object (JSON Schema draft 4). */
export function inputSchema<const Required extends string[], const Properties extends JsonObject>(
  required: Required,
  properties: Properties,
): JsonObject & { type: 'object'; required: Required; properties: Properties } {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    additionalProperties: false,
    required,
    properties,
  };
}

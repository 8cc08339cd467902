import { InvalidInputError, type JsonObject, type JsonValue } from '#libs/domain';

/** The objects of a list in a scope, none when it is absent. Throws InvalidInputError for anything else. */
export function objectsOf(value: JsonValue | undefined, field: string): JsonObject[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidInputError(field, 'must be a list');
  return value.map((entry) => {
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) {
      throw new InvalidInputError(field, 'must be a list of objects');
    }
    return entry;
  });
}

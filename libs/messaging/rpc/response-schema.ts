import type { SchemaReference, SchemaValue } from '#libs/domain';

/*
 * Responses that the API passes on unchanged are described once, as JSON Schema: the API's document prints the schema,
 * and `SchemaValue` makes its type. Plain objects instead of TypeBox, which adds 700 modules and 20 MB to every process
 * that uses the bus. They validate nothing at run time.
 */

/** Schema of an object in which each of these fields is there, and no other. */
export function closedObject<
  const Fields extends Readonly<Record<string, object>>,
  const Rest extends { $id?: string; description?: string },
>(properties: Fields, rest: Rest) {
  const required = Object.keys(properties) as (keyof Fields & string)[];
  return { type: 'object', required, properties, ...rest, additionalProperties: false } as const;
}

/** Refers to a component of the API's document. */
export function componentOf<const Schema extends { $id: string }>({
  $id,
}: Schema): SchemaReference<SchemaValue<Schema>> {
  return { $ref: `${$id}#` };
}

/** A text, or null. */
export function textOrNull(description: string) {
  return { type: ['string', 'null'], description } as const;
}

/** A moment, ISO 8601. */
export function moment(description: string) {
  return { type: 'string', format: 'date-time', description } as const;
}

/** Texts in a list. */
export function texts(description: string) {
  return { type: 'array', items: { type: 'string' }, description } as const;
}

/** Moments of a chart's points. `what` of each step. */
export function moments(what: string) {
  return { type: 'array', items: { type: 'integer' }, description: `${what}, seconds since 1970.` } as const;
}

/** Values of a chart's points. */
export function numbers(description: string) {
  return { type: 'array', items: { type: 'number' }, description } as const;
}

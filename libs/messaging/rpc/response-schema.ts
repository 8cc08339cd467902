import type { SchemaReference, SchemaValue } from '#libs/domain';

/*
 * Responses that the API forwards unchanged are defined once, as JSON Schema: the API's document contains the schema,
 * and `SchemaValue` derives its type. Plain objects instead of TypeBox, which adds 700 modules and 20 MB to every
 * process with the bus. They are not validated at run time.
 */

/** Schema of an object with exactly these required fields. */
export function closedObject<
  const Fields extends Readonly<Record<string, object>>,
  const Rest extends { $id?: string; description?: string },
>(properties: Fields, rest: Rest) {
  const required = Object.keys(properties) as (keyof Fields & string)[];
  return { type: 'object', required, properties, ...rest, additionalProperties: false } as const;
}

/** References a component of the API's document. */
export function componentOf<const Schema extends { $id: string }>({
  $id,
}: Schema): SchemaReference<SchemaValue<Schema>> {
  return { $ref: `${$id}#` };
}

/** A text, or null. */
export function textOrNull(description: string) {
  return { type: ['string', 'null'], description } as const;
}

/** A time, ISO 8601. */
export function moment(description: string) {
  return { type: 'string', format: 'date-time', description } as const;
}

/** Texts in a list. */
export function texts(description: string) {
  return { type: 'array', items: { type: 'string' }, description } as const;
}

/** Times of a chart's points. `what`: which time of each step. */
export function moments(what: string) {
  return { type: 'array', items: { type: 'integer' }, description: `${what}, seconds since 1970.` } as const;
}

/** Values of a chart's points. */
export function numbers(description: string) {
  return { type: 'array', items: { type: 'number' }, description } as const;
}

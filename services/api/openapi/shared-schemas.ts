import { type TSchema, Type } from 'typebox';

/** For objects with named fields only. */
export const strict = { additionalProperties: false };

/** A count. */
export function count(description: string): TSchema {
  return Type.Integer({ minimum: 0, description });
}

/** A count, or null. */
export function nullableCount(description: string): TSchema {
  return Type.Unsafe({ type: ['integer', 'null'], minimum: 0, description });
}

/** A number that may be null. */
export function nullableNumber(description: string): TSchema {
  return Type.Unsafe({ type: ['number', 'null'], description });
}

/** A moment, ISO 8601. */
export function moment(description: string): TSchema {
  return Type.String({ format: 'date-time', description });
}

/** A text that may be null. */
export function nullableText(description: string): TSchema {
  return Type.Unsafe({ type: ['string', 'null'], description });
}

/** A field that may be absent or null. */
export function optionalText(description: string): TSchema {
  return Type.Optional(nullableText(description));
}

/** An object with free-form fields. */
export function freeObject(description: string): TSchema {
  return Type.Object({}, { additionalProperties: true, description });
}

/** A string enum. */
export function words(values: readonly string[], description: string): TSchema {
  return Type.Unsafe({ type: 'string', enum: [...values], description });
}

/** A uuid in canonical form. */
export function uuid(description: string): TSchema {
  return Type.String({ format: 'uuid', description });
}

/** A uuid or null. */
export function nullableUuid(description: string): TSchema {
  return Type.Unsafe({ type: ['string', 'null'], format: 'uuid', description });
}

/** A reference to the component named `name`. */
export function component(name: string): TSchema {
  return Type.Unsafe({ $ref: `${name}#` });
}

/** The links of an object. */
export const linksSchema = Type.Array(
  Type.Object({ href: Type.String(), rel: Type.String() }, { additionalProperties: false }),
  { description: 'The object, with and without the version in the path.' },
);

/** `created_at`, `updated_at` and `deleted_at`. */
export const timestampFields = {
  created_at: nullableText('ISO 8601 with offset.'),
  updated_at: nullableText('ISO 8601 with offset; null when never changed.'),
  deleted_at: nullableText('ISO 8601 with offset; null for live objects.'),
};

const nextField = { next: Type.Optional(Type.String({ description: 'URL of the next page, when this one is full.' })) };

/** The response of a list: `{ <collection>: [entry, …], next? }`. */
function listSchema(id: string, collection: string, entry: string): TSchema {
  return Type.Object(
    { [collection]: Type.Array(component(entry)), ...nextField },
    { $id: id, additionalProperties: false },
  );
}

/** Components of a resource: the object, its entry in a list, the list, and the list with all fields. */
export function resourceSchemas(
  id: string,
  collection: string,
  listFields: Record<string, TSchema>,
  allFields: Record<string, TSchema>,
): TSchema[] {
  return [
    Type.Object(allFields, { $id: id, additionalProperties: false }),
    Type.Object(listFields, { $id: `${id}ListEntry`, additionalProperties: false }),
    listSchema(`${id}List`, collection, `${id}ListEntry`),
    listSchema(`${id}DetailList`, collection, id),
  ];
}

/** Response of every refusal but 401. */
export const faultSchema = Type.Object(
  {
    error_message: Type.String({
      description:
        'JSON as text: `{"faultcode", "faultstring", "debuginfo"}`, or `{"code", "title", "description"}` when the path, method or version does not exist.',
    }),
  },
  { $id: 'Fault', additionalProperties: false },
);

/** One operation of a PATCH body. */
export const patchSchema = Type.Array(
  Type.Object(
    {
      op: words(['add', 'replace', 'remove'], 'Operation.'),
      path: Type.String({ pattern: '^(/[\\w-]+)+$', description: 'Attribute, such as `/state`.' }),
      value: Type.Optional(Type.Unknown({ description: 'New value for `add` and `replace`.' })),
    },
    { additionalProperties: false },
  ),
  { $id: 'Patch' },
);

/** Response of a 401. */
export const unauthorizedSchema = Type.Object(
  {
    error: Type.Object(
      { code: Type.Integer(), title: Type.String(), message: Type.String() },
      { additionalProperties: false },
    ),
  },
  { $id: 'Unauthorized', additionalProperties: false },
);

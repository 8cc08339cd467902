import type { JsonObject, JsonValue } from './entities.ts';

/**
 * The values that a JSON Schema allows, as a type. Declare the schema `as const satisfies JsonObject`, so type and
 * schema cannot differ. A field is present when the schema requires it or has a `default`.
 */
export type SchemaValue<Schema> =
  Schema extends SchemaReference<infer Value>
    ? Value
    : Schema extends { const: infer Value }
      ? Value
      : Schema extends { enum: readonly (infer Value)[] }
        ? Value
        : Schema extends { type: readonly (infer Name)[] }
          ? ValueOfType<Schema, Name>
          : Schema extends { type: infer Name }
            ? ValueOfType<Schema, Name>
            : JsonValue;

/** Stands for a schema that is described elsewhere, and carries the type of its values. `value` is never set. */
export interface SchemaReference<Value> {
  readonly $ref: string;
  readonly value?: Value;
}

/** Distributes over the names when there are several. */
type ValueOfType<Schema, Name> = Name extends keyof Simple
  ? Simple[Name]
  : Name extends 'array'
    ? (Schema extends { items: infer Items } ? SchemaValue<Items> : JsonValue)[]
    : Schema extends { properties: infer Fields }
      ? ObjectOf<Fields, Schema extends { required: readonly (infer Name)[] } ? Name : never>
      : JsonObject;

interface Simple {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

/** Flattened to one object, for editors and compiler errors. */
type ObjectOf<Fields, Required> = Plain<
  { -readonly [Name in Sure<Fields, Required>]: SchemaValue<Fields[Name]> } & {
    -readonly [Name in Exclude<keyof Fields, Sure<Fields, Required>>]?: SchemaValue<Fields[Name]>;
  }
>;

type Sure<Fields, Required> = {
  [Name in keyof Fields]: Name extends Required ? Name : Fields[Name] extends { default: unknown } ? Name : never;
}[keyof Fields];

type Plain<Value> = { [Name in keyof Value]: Value[Name] };

import { type Chooser, oddTexts, oddValues } from './odd-values.ts';

type Schema = Record<string, unknown>;

/** Words that make a value meaningful to the application, by the name of the property. */
export type Idents = Readonly<Record<string, readonly unknown[]>>;

/** A value that `schema` allows. `components` resolves references. Names in `idents` get values from there. */
export function makeValue(chooser: Chooser, schema: Schema, components: Schema, idents: Idents, name = ''): unknown {
  if (typeof schema.$ref === 'string') {
    const component = components[schema.$ref.split('/').at(-1) ?? ''] as Schema;
    return makeValue(chooser, component, components, idents, name);
  }
  const known = idents[name];
  if (known && !chooser.once(4)) return chooser.pick(known);
  if (Array.isArray(schema.enum)) return chooser.pick(schema.enum);
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options) return makeValue(chooser, chooser.pick(options), components, idents, name);
  const type = Array.isArray(schema.type) ? chooser.pick(schema.type) : schema.type;
  return make(chooser, { ...schema, type }, components, idents);
}

function make(chooser: Chooser, schema: Schema, components: Schema, idents: Idents): unknown {
  switch (schema.type) {
    case 'string':
      return textOf(chooser, schema);
    case 'integer':
    case 'number':
      return (Number(schema.minimum ?? 0) || 0) + chooser.index(100);
    case 'boolean':
      return chooser.once(2);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) + chooser.index(3) }, () =>
        makeValue(chooser, (schema.items ?? {}) as Schema, components, idents),
      );
    case 'object':
      return objectOf(chooser, schema, components, idents);
    default:
      return chooser.pick(oddValues);
  }
}

function textOf(chooser: Chooser, schema: Schema): string {
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (typeof schema.pattern === 'string') return `/${chooser.pick(['name', 'state', 'goal', 'scope/0', 'x'])}`;
  return chooser.pick(oddTexts);
}

function objectOf(chooser: Chooser, schema: Schema, components: Schema, idents: Idents): Record<string, unknown> {
  const required = (schema.required ?? []) as string[];
  const entries = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    .filter(([name]) => required.includes(name) || chooser.once(2))
    .map(([name, part]) => [name, makeValue(chooser, part, components, idents, name)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** A copy of a JSON value with one place changed: another value, a further key, a key less, or an item twice. */
export function mutate(chooser: Chooser, value: unknown): unknown {
  if (Array.isArray(value)) return mutateArray(chooser, value);
  if (typeof value !== 'object' || value === null) return chooser.pick(oddValues);
  const keys = Object.keys(value);
  const record = value as Record<string, unknown>;
  const key = keys.length === 0 || chooser.once(5) ? chooser.pick(oddTexts) : chooser.pick(keys);
  if (chooser.once(5)) return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  const changed = chooser.once(2) ? chooser.pick(oddValues) : mutate(chooser, record[key] ?? null);
  return { ...record, [key]: changed };
}

function mutateArray(chooser: Chooser, value: readonly unknown[]): unknown[] {
  if (value.length === 0 || chooser.once(4)) return [...value, chooser.pick(oddValues)];
  const at = chooser.index(value.length);
  return value.map((item, index) => (index === at ? mutate(chooser, item) : item));
}

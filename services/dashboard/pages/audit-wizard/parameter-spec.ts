import type { NamedSpec } from '../../components/parameter-texts.ts';
import { text } from '../../texts/texts.ts';

/** A node of a strategy's parameter schema (JSON Schema draft 4), reduced to the parts that forms use. */
export interface ParameterSpec extends NamedSpec {
  type?: string | string[];
  /** `host`: the host name of a compute service. */
  format?: string;
  'x-advanced'?: boolean;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, ParameterSpec>;
  required?: string[];
  items?: ParameterSpec;
}

/** Typed text that is not yet JSON: an error. */
export class BrokenJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Kind of input of a parameter. */
export type FieldKind =
  | 'host'
  | 'hosts'
  | 'choice'
  | 'choices'
  | 'number'
  | 'flag'
  | 'text'
  | 'texts'
  | 'group'
  | 'groups'
  | 'json';

/**
 * Splits a schema into essential and advanced parameters. Advanced ones (`x-advanced`) are details of measurement and
 * search that every audit may leave out. Required parameters are essential.
 */
export function foldedParts(spec: ParameterSpec): { essential: ParameterSpec; advanced: ParameterSpec } {
  const parts = Object.entries(spec.properties ?? {});
  const required = spec.required ?? [];
  const isAdvanced = (name: string) => spec.properties?.[name]?.['x-advanced'] === true && !required.includes(name);
  return {
    essential: { ...spec, properties: Object.fromEntries(parts.filter(([name]) => !isAdvanced(name))) },
    advanced: { properties: Object.fromEntries(parts.filter(([name]) => isAdvanced(name))) },
  };
}

/** The input for a schema, with a search for hosts where its format is `host`. */
export function searchFieldKindOf(spec: ParameterSpec): FieldKind {
  const kind = fieldKindOf(spec);
  if (kind === 'text' && spec.format === 'host') return 'host';
  return kind === 'texts' && spec.items?.format === 'host' ? 'hosts' : kind;
}

/** The input for a schema. Schemas without a matching input use JSON. */
export function fieldKindOf(spec: ParameterSpec): FieldKind {
  if (spec.enum) return 'choice';
  const types = [spec.type ?? []].flat().filter((type) => type !== 'null');
  const [type] = types;
  if (types.length !== 1) return 'json';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  if (type === 'string') return 'text';
  if (type === 'object') return spec.properties ? 'group' : 'json';
  if (type === 'array') return arrayKindOf(spec.items);
  return 'json';
}

function arrayKindOf(items: ParameterSpec | undefined): FieldKind {
  if (items?.enum) return 'choices';
  if (items?.type === 'string') return 'texts';
  return items?.properties ? 'groups' : 'json';
}

/** The initial value: the default, and within groups the defaults of their parts. */
export function initialValue(spec: ParameterSpec): unknown {
  if (spec.default !== undefined) return structuredClone(spec.default);
  if (fieldKindOf(spec) !== 'group') return undefined;
  const parts = Object.entries(spec.properties ?? {}).flatMap(([name, part]) => {
    const value = initialValue(part);
    return value === undefined ? [] : [[name, value] as const];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** Whether the schema requires an integer. */
export function isInteger(spec: ParameterSpec): boolean {
  return [spec.type ?? []].flat().includes('integer');
}

/** Error of a value in one sentence. Null if it is valid. The API validates everything again. */
export function problemOf(spec: ParameterSpec, value: unknown): string | null {
  if (value instanceof BrokenJson) return text('parameter.badJson');
  const kind = fieldKindOf(spec);
  if (kind === 'choices' && Array.isArray(value) && value.length === 0) return text('parameter.selectOne');
  if (value === undefined || kind !== 'number') return null;
  if (typeof value !== 'number' || Number.isNaN(value)) return text('parameter.noNumber');
  if (isInteger(spec) && !Number.isInteger(value)) return text('parameter.whole');
  if (spec.minimum !== undefined && value < spec.minimum) return text('parameter.least', { least: spec.minimum });
  if (spec.maximum !== undefined && value > spec.maximum) return text('parameter.most', { most: spec.maximum });
  return null;
}

/** Names of the invalid or missing parameters. */
export function problemsOf(spec: ParameterSpec, values: Record<string, unknown>): string[] {
  return Object.entries(spec.properties ?? {}).flatMap(([name, part]) => {
    const value = values[name];
    const isMissing = value === undefined && (spec.required ?? []).includes(name);
    if (isMissing || problemOf(part, value) !== null) return [name];
    if (fieldKindOf(part) !== 'group' || value === undefined) return [];
    return problemsOf(part, value as Record<string, unknown>).map((inner) => `${name}.${inner}`);
  });
}

/** Only the values that differ from the defaults: the API fills in the rest. */
export function changedValues(spec: ParameterSpec, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(initialValue(spec.properties?.[name] ?? {})),
    ),
  );
}

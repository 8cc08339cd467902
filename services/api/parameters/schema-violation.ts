import AjvModule, { type ErrorObject, type ValidateFunction } from 'ajv-draft-04';
import type { JsonObject, JsonValue } from '#libs/domain';
import { pythonRepr, shortened } from '../http/faults/notation.ts';

const Ajv = AjvModule.default;

/**
 * One compiler without defaults and one with them: each reads the meta-schema of draft 4 when it compiles its first
 * schema.
 */
const compilers = [false, true].map(
  (useDefaults) =>
    new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false, logger: false, useDefaults }),
);

/**
 * Cached validators, by options and schema. The oldest are evicted. Compiling one takes ten times as long as the rest
 * of a request.
 */
const kept = new Map<string, ValidateFunction>();
const mostKept = 60;
/** Characters of a value in the text of a violation. */
const maxShownValue = 1000;

/**
 * Validates `instance` against a draft-4 schema and fills in the defaults of missing properties (in place).
 * @returns null when it is valid, else the text that Python's jsonschema gives for the first violation in the order of
 * the schema: message, where in the schema, where in the instance.
 */
export function schemaViolation(
  schema: JsonObject,
  instance: JsonValue,
  options: { useDefaults: boolean },
): string | null {
  const validate = validatorOf(schema, options.useDefaults);
  if (validate(instance)) return null;
  return violationText(firstInSchemaOrder(schema, validate.errors ?? []));
}

function validatorOf(schema: JsonObject, useDefaults: boolean): ValidateFunction {
  const key = `${useDefaults} ${JSON.stringify(schema)}`;
  const known = kept.get(key);
  if (known) return known;
  const made = compile(schema, useDefaults);
  kept.set(key, made);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return made;
}

function compile(schema: JsonObject, useDefaults: boolean): ValidateFunction {
  const compiler = compilers[Number(useDefaults)]!;
  try {
    return compiler.compile(schema);
  } finally {
    // The compiler would cache it indefinitely, and refuse another schema with the same id.
    compiler.removeSchema(schema);
  }
}

function firstInSchemaOrder(schema: JsonObject, errors: ErrorObject[]): ErrorObject | undefined {
  // Branches of a failed oneOf or anyOf report their own errors. Only the number of matching branches matters.
  // Many items of a list may break the same rule. The first of them counts.
  const byPath = new Map<string, ErrorObject>();
  for (const error of errors) if (!byPath.has(error.schemaPath)) byPath.set(error.schemaPath, error);
  const own = [...byPath.values()].filter((error) => !/\/(oneOf|anyOf|not)\/./.test(error.schemaPath));
  const ranked = own.map((error) => ({ error, rank: schemaRank(schema, pathSegments(error.schemaPath)) }));
  ranked.sort((left, right) => compareRanks(left.rank, right.rank));
  return ranked[0]?.error;
}

function pathSegments(schemaPath: string): string[] {
  return schemaPath
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function schemaRank(schema: JsonValue, segments: string[]): number[] {
  let node: JsonValue | undefined = schema;
  return segments.map((segment) => {
    if (typeof node !== 'object' || node === null) return 0;
    const index = Object.keys(node).indexOf(segment);
    node = (node as JsonObject)[segment];
    return index;
  });
}

function compareRanks(left: number[], right: number[]): number {
  for (const [index, rank] of left.entries()) {
    const other = right[index];
    if (other === undefined || rank !== other) return rank - (other ?? -1);
  }
  return left.length - right.length;
}

function violationText(error: ErrorObject | undefined): string {
  if (!error) return 'the value does not fit the schema';
  const segments = pathSegments(error.schemaPath).slice(0, -1);
  const instancePath = error.instancePath.split('/').slice(1);
  return [
    violationMessage(error),
    '',
    `Failed validating '${error.keyword}' in schema${subscripts(segments)}:`,
    `    ${pythonRepr(sortedKeys(error.parentSchema))}`,
    '',
    `On instance${subscripts(instancePath)}:`,
    `    ${shortened(pythonRepr(sortedKeys(error.data)), maxShownValue)}`,
  ].join('\n');
}

/** Objects are shown with their keys in order, so that the text does not depend on how the database keeps them. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sortedKeys(entry)]));
}

function subscripts(segments: string[]): string {
  return segments.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `['${segment}']`)).join('');
}

/** Expected form of a value with several possible forms, if its schema describes it. */
function formsOf({ parentSchema }: ErrorObject): string {
  return typeof parentSchema?.description === 'string' ? `: ${parentSchema.description}` : '';
}

type MessageOf = (data: string, expected: unknown, error: ErrorObject) => string;

const messages: Record<string, MessageOf> = {
  required: (_data, _expected, error) => `${pythonRepr(error.params.missingProperty)} is a required property`,
  type: (data, expected) => `${data} is not of type ${[expected].flat().map(pythonRepr).join(', ')}`,
  enum: (data, expected) => `${data} is not one of ${pythonRepr(expected)}`,
  minimum: (data, expected) => `${data} is less than the minimum of ${pythonRepr(expected)}`,
  maximum: (data, expected) => `${data} is greater than the maximum of ${pythonRepr(expected)}`,
  pattern: (data, expected) => `${data} does not match ${pythonRepr(expected)}`,
  minItems: (data) => `${data} is too short`,
  minLength: (data) => `${data} is too short`,
  maxItems: (data) => `${data} is too long`,
  maxLength: (data) => `${data} is too long`,
  uniqueItems: (data) => `${data} has non-unique elements`,
  multipleOf: (data, expected) => `${data} is not a multiple of ${pythonRepr(expected)}`,
  anyOf: (data, _expected, error) => `${data} is not valid under any of the given schemas${formsOf(error)}`,
  oneOf: (data, _expected, error) =>
    error.params.passingSchemas
      ? `${data} is valid under more than one of the given schemas${formsOf(error)}`
      : `${data} is not valid under any of the given schemas${formsOf(error)}`,
  additionalProperties: (_data, _expected, error) =>
    `Additional properties are not allowed (${pythonRepr(error.params.additionalProperty)} was unexpected)`,
};

function violationMessage(error: ErrorObject): string {
  const make = messages[error.keyword];
  return make
    ? make(shortened(pythonRepr(error.data), maxShownValue), error.schema, error)
    : (error.message ?? error.keyword);
}

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import AjvDraft04Module from 'ajv-draft-04';
import addFormatsModule from 'ajv-formats';
import { type JsonObject, nearestHint } from '#libs/domain';

/** A fault found by a schema: where, in the notation `a.b[0]` (empty for the whole), and why. */
export interface SchemaFault {
  field: string;
  reason: string;
}

const AjvDraft04 = AjvDraft04Module.default;
const addFormats = addFormatsModule.default;

// Reading the meta-schema takes some 30 ms, so there is one compiler of each sort.
const draft4 = createDraft4({ useDefaults: false });
const draft4WithDefaults = createDraft4({ useDefaults: true });
// These are Vigil's own, few and constant: kept, and not compared with a meta-schema.
const manifests = new Ajv({ allErrors: true, strict: false, validateSchema: false });

/**
 * Compiling takes longer than most strategies run on a small cloud. Each schema is compiled once, and kept while it is
 * referenced.
 */
function createDraft4(options: { useDefaults: boolean }): (schema: JsonObject) => ValidateFunction {
  const ajv = new AjvDraft04({ allErrors: true, verbose: true, strict: false, logger: false, ...options });
  addFormats(ajv);
  const compiled = new WeakMap<JsonObject, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    try {
      const validate: ValidateFunction = ajv.compile(schema);
      compiled.set(schema, validate);
      return validate;
    } finally {
      // Ajv would keep it forever, and refuse another one of the same id.
      ajv.removeSchema(schema);
    }
  };
}

/**
 * Compiles a JSON Schema of draft 4, the dialect of parameters and indicators. The object must not change afterwards.
 * Throws an Error on a broken schema.
 */
export function compileDraft4(schema: JsonObject, options: { useDefaults?: boolean } = {}): ValidateFunction {
  return options.useDefaults ? draft4WithDefaults(schema) : draft4(schema);
}

/** Compiles one of Vigil's own manifest schemas, each once. */
export function compileManifestSchema(schema: JsonObject): ValidateFunction {
  return manifests.compile(schema);
}

/** Ajv's errors in readable words, without the noise of wrapping keywords. */
export function faultsOf(errors: ErrorObject[] | null | undefined): SchemaFault[] {
  const all = errors ?? [];
  const described = all
    .filter((error) => descriptionOfChoice(error) !== null)
    .map(({ schemaPath }) => `${schemaPath}/`);
  const useful = all.filter(
    ({ keyword, schemaPath }) => keyword !== 'if' && !described.some((choice) => schemaPath.startsWith(choice)),
  );
  return useful.map((error) => ({ field: fieldOf(error), reason: reasonOf(error) }));
}

/**
 * Expected form of a value with several possible forms, in the words of its schema. Null for other errors and without
 * words.
 */
function descriptionOfChoice({ keyword, parentSchema }: ErrorObject): string | null {
  if (keyword !== 'oneOf' && keyword !== 'anyOf') return null;
  return typeof parentSchema?.description === 'string' ? parentSchema.description : null;
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty));
  return fieldPath(path);
}

/** Joins path parts into `a.b[0].c`. */
export function fieldPath(parts: readonly (string | number)[]): string {
  let text = '';
  for (const part of parts) {
    if (/^\d+$/.test(String(part))) text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function reasonOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is not allowed${nearestHint(String(error.params.additionalProperty), Object.keys(error.parentSchema?.properties ?? {}))}`;
    case 'enum': {
      const allowed = error.params.allowedValues as unknown[];
      const list = allowed.map((value) => JSON.stringify(value)).join(', ');
      const names = allowed.filter((value) => typeof value === 'string');
      return `must be one of ${list}${typeof error.data === 'string' ? nearestHint(error.data, names) : ''}`;
    }
    case 'maximum':
      return `must be ${error.params.comparison === '<' ? 'below' : 'at most'} ${error.params.limit}`;
    case 'minimum':
      return `must be ${error.params.comparison === '>' ? 'above' : 'at least'} ${error.params.limit}`;
    case 'oneOf':
    case 'anyOf': {
      const description = descriptionOfChoice(error);
      return description === null ? `fits none of the forms that it may have, or several` : `must be: ${description}`;
    }
    default:
      return error.message ?? `breaks the rule ${error.keyword}`;
  }
}

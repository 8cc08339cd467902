import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { MessageDefinition } from './catalogue/message-definition.ts';

/** Checks message bodies against the catalogue. Used when a message is published and again when it is consumed. */
export interface MessageChecker {
  /** Every message type known. */
  definitions: readonly MessageDefinition[];
  /** @throws InvalidInputError when the catalogue has no such type. */
  definition(type: string): MessageDefinition;
  /**
   * Why this is not a message of the catalogue, or null when it is one. Never throws, for any `body`. A newer major
   * version of a body is refused.
   */
  findProblem(type: string, body: JsonObject): string | null;
  /** Whether the body is of a version of its type that is newer than the newest known here. */
  isNewer(type: string, body: JsonObject): boolean;
}

/**
 * Compiles each schema once, with the first message of its type. The catalogue is ours and tests check its
 * schemas, so they are not compared with the meta-schema: that alone is a tenth of the start of a process.
 * @throws Error when a type is listed twice.
 */
export function createMessageChecker(catalogue: readonly MessageDefinition[]): MessageChecker {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, validateSchema: false });
  ajvFormats.default(ajv);
  const known = new Map<string, KnownMessage>();
  for (const definition of catalogue) {
    const { type, schema } = definition;
    if (known.has(type)) throw new Error(`message type ${type} is in the catalogue twice`);
    let compiled: ValidateFunction | undefined;
    known.set(type, { definition, validate: () => (compiled ??= ajv.compile(schema)) });
  }

  return {
    definitions: catalogue,
    definition(type) {
      const found = known.get(type);
      if (found === undefined) throw new InvalidInputError('type', `there is no message type ${type} in the catalogue`);
      return found.definition;
    },
    findProblem(type, body) {
      const found = known.get(type);
      if (found === undefined) return `there is no message type ${type} in the catalogue`;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body is not a JSON object';
      const newer = findNewerVersion(found.definition, body);
      if (newer !== null) return newer;
      const validate = found.validate();
      if (validate(body)) return null;
      return `the body is not valid: ${ajv.errorsText(validate.errors, { dataVar: 'body' })}`;
    },
    isNewer(type, body) {
      const definition = known.get(type)?.definition;
      return definition !== undefined && findNewerVersion(definition, body) !== null;
    },
  };
}

interface KnownMessage {
  definition: MessageDefinition;
  validate(): ValidateFunction;
}

function findNewerVersion(definition: MessageDefinition, body: JsonObject): string | null {
  const version = typeof body?.schema === 'string' ? /^(.*)\/(\d+)$/.exec(body.schema) : null;
  if (version === null || version[1] !== definition.type || Number(version[2]) <= definition.version) return null;
  return `schema ${body.schema} is newer than version ${definition.version}, the newest known here`;
}

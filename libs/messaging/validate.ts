import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { MessageDefinition } from './catalogue/message-definition.ts';

/** Checks message bodies against the catalogue; used when a message is published and again when it is consumed. */
export interface MessageChecker {
  /** Every message type known. */
  definitions: readonly MessageDefinition[];
  /** @throws InvalidInputError when the catalogue has no such type. */
  definition(type: string): MessageDefinition;
  /** Why this is not a message of the catalogue, or null when it is one. A newer major version of a body is refused. */
  findProblem(type: string, body: JsonObject): string | null;
}

/** Compiles the schemas once. @throws Error when a schema of the catalogue is not valid or a type is listed twice. */
export function createMessageChecker(catalogue: readonly MessageDefinition[]): MessageChecker {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajvFormats.default(ajv);
  const known = new Map<string, { definition: MessageDefinition; validate: ValidateFunction }>();
  for (const definition of catalogue) {
    if (known.has(definition.type)) throw new Error(`message type ${definition.type} is in the catalogue twice`);
    known.set(definition.type, { definition, validate: ajv.compile(definition.schema) });
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
      const newer = findNewerVersion(found.definition, body);
      if (newer !== null) return newer;
      if (found.validate(body)) return null;
      return `the body is not valid: ${ajv.errorsText(found.validate.errors, { dataVar: 'body' })}`;
    },
  };
}

function findNewerVersion(definition: MessageDefinition, body: JsonObject): string | null {
  const version = typeof body.schema === 'string' ? /^(.*)\/(\d+)$/.exec(body.schema) : null;
  if (version === null || version[1] !== definition.type || Number(version[2]) <= definition.version) return null;
  return `schema ${body.schema} is newer than version ${definition.version}, the newest known here`;
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import type { TaskDefinition } from './catalogue/task-definition.ts';

/** Checks arguments against the schema of a task. @throws InvalidInputError that names the argument. */
export type ArgumentCheck = (definition: TaskDefinition, args: unknown) => JsonObject;

/** Makes a check that compiles each schema once. */
export function createArgumentCheck(): ArgumentCheck {
  const ajv = new Ajv2020({ allErrors: false, strict: false });
  const compiled = new Map<string, ValidateFunction>();
  return (definition, args) => {
    const validate = compiled.get(definition.name) ?? ajv.compile(definition.argumentsSchema);
    compiled.set(definition.name, validate);
    if (validate(args)) return args as JsonObject;
    const [fault] = validate.errors ?? [];
    const path = `args${(fault?.instancePath ?? '').replaceAll('/', '.')}`;
    const extra = fault?.keyword === 'additionalProperties' ? ` (${fault.params.additionalProperty})` : '';
    throw new InvalidInputError(path, `${fault?.message ?? 'is not acceptable'}${extra}`);
  };
}

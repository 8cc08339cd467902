import type { FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '#libs/domain';
import { type ApiFault, badRequest, invalidField } from '../http/faults/fault.ts';
import { pythonRepr, pythonText } from '../http/faults/notation.ts';
import { isJsonObject, requireJson } from '../http/watcher-text/json-body.ts';

/** One checked operation of Watcher's JSON Patch subset. */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  /** Undefined for `remove`. */
  value?: JsonValue;
  /** The operation in the words of the request. */
  sent: JsonObject;
}

/**
 * Refusals of a resource in addition to the syntax. Paths are compared by their first segment, with the leading slash.
 */
export interface PatchRules {
  /** The only attributes that may be touched. Any when absent. */
  allowed?: readonly string[];
  /** Attributes that the service owns. */
  internal: readonly string[];
  /** Attributes that cannot be removed. */
  mandatory: readonly string[];
  /** Additional check of a resource. Runs before the checks above. */
  check?: (operation: PatchOperation, patch: readonly PatchOperation[]) => void;
}

/** Attributes that no PATCH may touch. */
export const commonInternal = ['/created_at', '/updated_at', '/deleted_at', '/id', '/uuid', '/links'];

const operations = ['add', 'replace', 'remove'];
const members = ['op', 'path', 'value'];
const maxOperations = 500;
const pathPattern = /^(\/[\w-]+)+$/;

/**
 * Reads the body of a PATCH.
 * @throws ApiFault 400 with Watcher's text for the first operation that breaks a rule.
 */
export function readPatch(request: FastifyRequest, rules: PatchRules): PatchOperation[] {
  const body = requireJson(request, 'patch');
  if (!Array.isArray(body)) throw invalidField('patch', body, `Value not a valid list: ${pythonText(body)}`);
  if (body.length > maxOperations) throw invalidField('patch', body, `At most ${maxOperations} operations.`);
  const patch = body.map(readOperation);
  for (const operation of patch) checkOperation(operation, rules, patch);
  return patch;
}

function readOperation(element: JsonValue): PatchOperation {
  if (!isJsonObject(element)) {
    throw invalidField('patch', element, `Value not a valid dict: ${pythonText(element)}`);
  }
  const unknown = Object.keys(element).filter((name) => !members.includes(name));
  if (unknown.length > 0) {
    const noun = unknown.length === 1 ? 'attribute' : 'attributes';
    throw badRequest(`Unknown ${noun} for argument patch: ${unknown.join(', ')}`);
  }
  const { path, op } = element;
  if (path === undefined || path === null) throw invalidField('path', path, 'Mandatory field missing.');
  if (typeof path !== 'string') throw invalidField('path', path, 'Value should be string');
  if (!pathPattern.test(path)) throw invalidField('path', path, `Value should match the pattern ^(/[\\w-]+)+$`);
  if (op === undefined || op === null) throw invalidField('op', op, 'Mandatory field missing.');
  if (typeof op !== 'string' || !operations.includes(op)) {
    throw invalidField('op', op, `Value should be one of: ${operations.join(', ')}`);
  }
  return { op: op as PatchOperation['op'], path, value: element.value, sent: element };
}

function checkOperation(operation: PatchOperation, rules: PatchRules, patch: readonly PatchOperation[]): void {
  const { op, path } = operation;
  const attribute = `/${firstSegment(path)}`;
  rules.check?.(operation, patch);
  if (rules.allowed && !rules.allowed.includes(attribute)) {
    throw badRequest(`'${path}' is not an allowed attribute and can not be updated`);
  }
  if (rules.internal.includes(attribute)) {
    throw badRequest(`'${path}' is an internal attribute and can not be updated`);
  }
  if (op === 'remove' && rules.mandatory.includes(path)) {
    throw badRequest(`'${path}' is a mandatory attribute and can not be removed`);
  }
  if (op !== 'remove' && operation.value === undefined) {
    throw badRequest("'add' and 'replace' operations needs value");
  }
}

/** Refuses a `/state` that is not a state. Whether it can be reached is checked later. @throws ApiFault 400 */
export function refuseUnknownState(
  operation: PatchOperation,
  states: readonly string[],
  patch: readonly PatchOperation[],
): void {
  const { path, value } = operation;
  if (path !== '/state' || value === undefined || value === null || value === '') return;
  if (typeof value === 'string' && states.includes(value)) return;
  throw patchValueFault(patch, patchFault(operation, `Invalid state: ${pythonText(value)}`).message);
}

/** The attribute that a path starts with. */
export function firstSegment(path: string): string {
  return path.split('/')[1] ?? '';
}

/** 400 `Couldn't apply patch …`, with the whole patch or the operation at fault. */
export function patchFault(patch: PatchOperation | readonly PatchOperation[], reason: string): ApiFault {
  const shown = 'op' in patch ? shownOperation(patch) : patch.map(shownOperation);
  return badRequest(`Couldn't apply patch '${pythonRepr(shown)}'. Reason: ${reason}`);
}

/** Watcher's error about the values of a patch: the text is put behind a prefix that repeats the patch. */
export function patchValueFault(patch: readonly PatchOperation[], text: string): ApiFault {
  const sent = pythonRepr(patch.map((operation) => operation.sent));
  return badRequest(`Invalid input for field/attribute patch. Value: '${sent}'. ${text}`);
}

function shownOperation({ path, op, value }: PatchOperation): JsonObject {
  return value === undefined ? { path, op } : { path, op, value };
}

import type { FastifyRequest } from 'fastify';
import { type JsonObject, type JsonValue, nearestName } from '#libs/domain';
import { badRequest, invalidField } from '../faults/fault.ts';
import { pythonText, pythonTypeName } from '../faults/notation.ts';
import { isJsonObject, readJson } from './json-body.ts';

/** Refuses a text field of another type. The caller handles null and absence. */
export function textField(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw wrongType(name, value, 'str');
}

/**
 * 400 for a value that its attribute's own type cannot convert. In a POST, Watcher names the `argument` and shows the
 * whole body then.
 */
export function unconvertible(body: JsonObject, name: string, detail: string, argument?: string) {
  return argument === undefined ? invalidField(name, body[name], detail) : invalidField(argument, body, detail);
}

/** An object field. Null when absent or null. */
export function objectField(body: JsonObject, name: string, argument?: string): JsonObject | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (!isJsonObject(value)) throw unconvertible(body, name, `Value not a valid dict: ${pythonText(value)}`, argument);
  return value;
}

/** An array field. Null when absent or null. */
export function arrayField(body: JsonObject, name: string): JsonValue[] | null {
  const value = body[name] ?? null;
  if (value === null || Array.isArray(value)) return value;
  throw invalidField(name, value, `Value not a valid list: ${pythonText(value)}`);
}

const trueWords = new Set(['true', 't', '1', 'y', 'yes', 'on']);
const falseWords = new Set(['false', 'f', '0', 'n', 'no', 'off']);

/** A boolean field of a POST body: JSON booleans, integers, and the usual words. Null and absence are false. */
export function booleanField(body: JsonObject, name: string, argument: string): boolean {
  const value = body[name] ?? false;
  if (typeof value === 'boolean') return value;
  if (Number.isInteger(value)) return value !== 0;
  const word = String(value).toLowerCase();
  if (trueWords.has(word)) return true;
  if (falseWords.has(word)) return false;
  throw unconvertible(body, name, `Value not an unambiguous boolean: ${pythonText(value)}`, argument);
}

/** Refuses names that `allowed` does not list, with Watcher's text. */
export function refuseUnknownAttributes(body: JsonObject, allowed: ReadonlySet<string>, argument: string): void {
  const unknown = Object.keys(body).filter((name) => !allowed.has(name));
  if (unknown.length === 0) return;
  const noun = unknown.length === 1 ? 'attribute' : 'attributes';
  throw badRequest(`Unknown ${noun} for argument ${argument}: ${unknown.join(', ')}`);
}

/**
 * The options in the body of one of Vigil's own operations. Empty without a body. A misspelt option is never ignored,
 * because it may be a safety limit.
 * @throws ApiFault 400 for a body that is not an object, and for names that are not in `known`, with the nearest valid
 * name.
 */
export function readOptions(request: FastifyRequest, known: readonly string[], argument: string): JsonObject {
  const body = readJson(request) ?? {};
  if (!isJsonObject(body)) throw badRequest('Request must be a JSON dict');
  refuseUnknownOptions(body, known, argument);
  return body;
}

/**
 * Refuses names that `known` does not list, with the nearest valid name. For extensions of Vigil. @throws ApiFault 400
 */
export function refuseUnknownOptions(body: JsonObject, known: readonly string[], argument: string): void {
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const hints = unknown.slice(0, hintsAtMost).map((name) => hint(name, known));
  throw badRequest(`Unknown argument: ${hints.join(', ')}. ${listed(known, argument)}`);
}

function hint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const shown = `"${name.slice(0, longestShown)}"`;
  return nearest === null ? shown : `${shown} (did you mean "${nearest}"?)`;
}

function listed(known: readonly string[], argument: string): string {
  return known.length === 0 ? `The ${argument} takes none` : `The ${argument} takes ${known.join(', ')}`;
}

/** Unknown names that a refusal repeats. */
const hintsAtMost = 5;
/** Characters of an unknown name that a refusal repeats. */
const longestShown = 80;

/** 400 for a value of another JSON type than the attribute has. */
export function wrongType(name: string, value: unknown, expected: string) {
  return invalidField(
    name,
    value,
    `Wrong type. Expected '<class '${expected}'>', got '<class '${pythonTypeName(value)}'>'`,
  );
}

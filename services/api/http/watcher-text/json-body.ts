import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '#libs/domain';
import { ApiFault, badRequest, invalidField } from '../faults/fault.ts';
import { pythonText } from '../faults/notation.ts';

const jsonTypes = new Set(['application/json', 'text/javascript', 'application/javascript']);
const formType = 'application/x-www-form-urlencoded';

/**
 * Passes raw request bodies to the handlers. The accepted media types and the meaning of an empty body depend on the
 * operation, and refusals use Watcher's texts.
 */
export function installRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/**
 * The JSON of a request body, or undefined when the body is empty.
 * @throws ApiFault 415 for another media type, 400 for text that is not JSON.
 */
export function readJson(request: FastifyRequest): JsonValue | undefined {
  const body = request.body;
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  if (text === '') return undefined;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  if (type === '' || type === formType) {
    const names = [...new URLSearchParams(text).keys()].map((name) => name.slice(0, 80));
    throw badRequest(`Unknown argument: "${names.join(', ')}"`);
  }
  if (!jsonTypes.has(type)) throw new ApiFault(415, `Unknown mimetype: ${type}`);
  return parseJson(text);
}

/** Like `readJson`, where `argument` names the body that must be there. */
export function requireJson(request: FastifyRequest, argument: string): JsonValue {
  const value = readJson(request);
  if (value === undefined) throw badRequest(`Missing argument: "${argument}"`);
  return value;
}

/**
 * Refuses a body of an operation without one, unless it is an object, which is ignored.
 * @throws ApiFault 415 for another media type, 400 for other JSON and for text that is not JSON.
 */
export function refuseOddBody(request: FastifyRequest): void {
  const value = readJson(request);
  if (value !== undefined && !isJsonObject(value)) throw badRequest('Request must be a JSON dict');
}

/** Like `requireJson`, for an object. */
export function requireJsonObject(request: FastifyRequest, argument: string): JsonObject {
  const value = requireJson(request, argument);
  if (!isJsonObject(value)) {
    throw invalidField(argument, value, `Value not a valid dict: ${pythonText(value)}`);
  }
  return value;
}

/** Whether a JSON value is an object (no array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** No valid body is deeper, and processing deeper ones would exhaust the stack. */
const maxDepth = 100;
/** Values of a body at most: checking more against a schema would block other requests. */
const maxValues = 50_000;

/** @throws ApiFault 400 for text that is not JSON, too deep, or with too many values. */
export function parseJson(text: string): JsonValue {
  refuseLarge(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new ApiFault(400, notJson, { cause: error });
  }
}

const notJson = 'Request is not in valid JSON format';

/** Counts brackets and commas outside of strings. */
function refuseLarge(text: string): void {
  let [depth, values] = [0, 1];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token === ',') values += 1;
    if (depth > maxDepth) throw badRequest(`${notJson}: At most ${maxDepth} levels are accepted`);
    if (values > maxValues) throw badRequest(`${notJson}: At most ${maxValues} values are accepted`);
  }
}

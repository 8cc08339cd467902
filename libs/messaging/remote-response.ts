import { type ErrorCategory, InvalidInputError, type JsonObject, messageOf, VigilError } from '#libs/domain';
import type { RequestHandler } from './bus.ts';
import { RemoteRequestError } from './errors.ts';

const categories: readonly ErrorCategory[] = ['retryable', 'permanent', 'conflict', 'invalid-input'];

/**
 * Runs a request handler. The reply has the form `{ result }` or `{ error: { message, code, category } }`. A request
 * that cannot be decoded (null) results in such an error.
 */
export async function handleRequest(handler: RequestHandler, body: JsonObject | null): Promise<JsonObject> {
  try {
    if (body === null) throw new InvalidInputError('request', 'is not a JSON object');
    return { result: await handler(body) };
  } catch (error) {
    const known = error instanceof VigilError ? error : null;
    return {
      error: { message: messageOf(error), code: known?.code ?? null, category: known?.category ?? 'permanent' },
    };
  }
}

/** The result of a response. @throws RemoteRequestError when the response is an error or has another form. */
export function readResponse(topic: string, response: JsonObject): JsonObject {
  const { result, error } = response;
  if (isObject(result)) return result;
  const fields = isObject(error) ? error : { message: 'the response has neither a result nor an error' };
  const category = categories.find((known) => known === fields.category) ?? 'permanent';
  const code = typeof fields.code === 'string' ? fields.code : null;
  throw new RemoteRequestError(topic, String(fields.message), code, category);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

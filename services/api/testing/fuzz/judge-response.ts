import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { rewriteUrl } from '../../http/request/rewrite-url.ts';
import type { ApiDocument } from './make-request.ts';

/**
 * Operations that may return 500, as documented: cron expressions, scopes and engine data, and 503 for messages of a
 * missing bus.
 */
const may500 =
  /^\w+ \/internal\/dead-letters|^POST \/v1\/(audits|audit_templates)|^GET \/v1\/(data_model|strategies\/[^/]+\/state)/;
const leaks = /node_modules|\.ts:\d|\.js:\d|QueryFailed|SELECT |INSERT |postgres|typeorm|at async/i;
const unknownFault = 'An unknown exception occurred';

/** Describes a violation in a response. Null without one. */
export function createJudge(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false });
  addFormatsModule.default(ajv);
  ajv.addSchema(document, 'vigil');
  const patterns = Object.keys(document.paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    .sort((left, right) => left.path.split('{').length - right.path.split('{').length);
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(method: string, path: string, status: number): ValidateFunction | null {
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses;
    const documented = responses?.[String(status)] ?? responses?.default;
    const reference =
      documented?.content?.['application/json']?.schema.$ref ??
      (status === 401 ? '#/components/schemas/Unauthorized' : '#/components/schemas/Fault');
    if (documented && !documented.content) return null;
    const known = validators.get(String(reference)) ?? ajv.compile({ $ref: `vigil${reference}` });
    validators.set(String(reference), known);
    return known;
  }

  function misfit(method: string, routed: string, { statusCode, body }: LightMyRequestResponse): string | null {
    if (method === 'HEAD' || method === 'OPTIONS' || body === '') return null;
    if (!routed.startsWith('/v1') && statusCode === 200) return null;
    const matching = patterns.filter(({ pattern }) => pattern.test(routed)).map((found) => found.path);
    // A template may be named `detail`: where the detail list lacks the method, the entity of that name responds.
    const path =
      matching.find((candidate) => document.paths[candidate]?.[method.toLowerCase()]) ?? matching[0] ?? routed;
    const validate = validatorOf(method, path, statusCode);
    if (validate === null) return `has a body at ${statusCode}, where none is documented`;
    return validate(JSON.parse(body)) ? null : `does not fit its schema: ${ajv.errorsText(validate.errors)}`;
  }

  return (request: InjectOptions, response: LightMyRequestResponse): string | null => {
    const method = String(request.method);
    const routed = rewriteUrl(String(request.url)).split('?')[0] ?? '';
    const { statusCode, body } = response;
    if (statusCode >= 500 && (!may500.test(`${method} ${routed}`) || body.includes(unknownFault))) return 'a failure';
    const leak = statusCode >= 400 ? leaks.exec(body)?.[0] : undefined;
    const isReflected = () => leaks.test(`${request.url} ${String(request.payload ?? '')}`);
    if (leak && !isReflected()) return `reveals internals: ${leak}`;
    return misfit(method, routed, response);
  };
}

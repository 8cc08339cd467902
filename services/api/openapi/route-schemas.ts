import type {} from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { component } from './shared-schemas.ts';

/** What the documentation of a route says; requests are checked by the handlers, in Watcher's words. */
interface RouteDoc {
  operationId: string;
  summary: string;
  tag: string;
  query?: Record<string, TSchema>;
  params?: Record<string, string>;
  body?: TSchema;
  /** Component of the success answer; none for 204. */
  answer?: string;
  status?: 200 | 201 | 202 | 204;
  /** Refusals beside 400, 401, 403 and 406. */
  refusals?: number[];
}

/** Schema of a route for the OpenAPI document. */
export function describe(doc: RouteDoc): FastifySchema {
  const status = doc.status ?? 200;
  const refusals = [400, 403, 406, ...(doc.refusals ?? [])];
  const schema: FastifySchema = {
    operationId: doc.operationId,
    summary: doc.summary,
    tags: [doc.tag],
    headers: Type.Object({
      'OpenStack-API-Version': Type.Optional(
        Type.String({ description: 'Such as `infra-optim 1.7`; 1.0 when absent.' }),
      ),
    }),
    response: {
      [status]: doc.answer ? component(doc.answer) : Type.Null({ description: 'No body.' }),
      401: component('Unauthorized'),
      ...Object.fromEntries(refusals.map((code) => [code, component('Fault')])),
      // 405, 413, 429 of a rate limit, 500 and 503.
      default: component('Fault'),
    },
  };
  if (doc.query) schema.querystring = Type.Object(doc.query);
  if (doc.params) schema.params = Type.Object(paramSchemas(doc.params));
  if (doc.body) schema.body = doc.body;
  return schema;
}

function paramSchemas(params: Record<string, string>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(params).map(([name, description]) => [name, Type.String({ description })]));
}

/** Query arguments of every list. */
export function pagingArguments(sortKeys: readonly string[]): Record<string, TSchema> {
  return {
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Entries at most.' })),
    marker: Type.Optional(Type.String({ description: 'Identifier of the last entry of the page before.' })),
    sort_key: Type.Optional(Type.Unsafe({ type: 'string', enum: [...sortKeys], default: 'id' })),
    sort_dir: Type.Optional(Type.Unsafe({ type: 'string', enum: ['asc', 'desc'], default: 'asc' })),
  };
}

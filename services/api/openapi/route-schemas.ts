import type {} from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { component } from './shared-schemas.ts';

/** Documentation of a route. Handlers validate requests, with Watcher's texts. */
export interface RouteDoc {
  operationId: string;
  summary: string;
  /** Area of the surface. */
  tag: string;
  query?: Record<string, TSchema>;
  /** Path parameters and their descriptions. */
  params?: Record<string, string>;
  body?: TSchema;
  /** Component of the success response. None for 204. */
  response?: string;
  status?: 200 | 201 | 202 | 204;
  /** Refusals in addition to 400, 401, 403 and that of the version. */
  refusals?: number[];
}

/** Differences between the two surfaces of the API. */
interface Surface {
  headers: Record<string, TSchema>;
  /** Status that refuses a version. */
  versionRefusal: 406 | 426;
  /** Further responses by status. */
  responses?: Record<number, TSchema>;
}

/** Schema of a route of the public surface. */
export function describe(doc: RouteDoc): FastifySchema {
  const version = Type.String({ description: 'Microversion, such as `infra-optim 1.7`; default 1.0.' });
  return routeSchema(doc, { headers: { 'OpenStack-API-Version': Type.Optional(version) }, versionRefusal: 406 });
}

/** Schema of a route for the OpenAPI document of its surface. */
export function routeSchema(doc: RouteDoc, { headers, versionRefusal, responses = {} }: Surface): FastifySchema {
  const refusals = [400, 403, versionRefusal, ...(doc.refusals ?? [])];
  const schema: FastifySchema = {
    operationId: doc.operationId,
    summary: doc.summary,
    tags: [doc.tag],
    headers: Type.Object(headers),
    response: {
      [doc.status ?? 200]: doc.response ? component(doc.response) : Type.Null({ description: 'No body.' }),
      ...responses,
      401: component('Unauthorized'),
      ...Object.fromEntries(refusals.map((code) => [code, component('Fault')])),
      // 404 and 405 of the routing, 413, 429 of a rate limit, 500 and 503.
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
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of entries.' })),
    marker: Type.Optional(Type.String({ description: 'Identifier of the last entry of the previous page.' })),
    sort_key: Type.Optional(Type.Unsafe({ type: 'string', enum: [...sortKeys], default: 'id' })),
    sort_dir: Type.Optional(Type.Unsafe({ type: 'string', enum: ['asc', 'desc'], default: 'asc' })),
  };
}

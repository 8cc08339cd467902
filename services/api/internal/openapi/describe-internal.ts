import type {} from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { component } from '../../openapi/shared-schemas.ts';
import { internalVersionHeader } from '../internal-version.ts';

/** What the documentation of an internal route says. */
export interface InternalRouteDoc {
  operationId: string;
  summary: string;
  /** Area of the surface, such as `deployment`. */
  tag: string;
  query?: Record<string, TSchema>;
  /** Path parameters and what they are. */
  params?: Record<string, string>;
  body?: TSchema;
  /** Component of the success answer; none for 204. */
  answer?: string;
  status?: 200 | 201 | 202 | 204;
  /** Answers have an entity tag, and 304 when the client names it. */
  tagged?: boolean;
  /** Refusals beside 400, 401, 403 and 426. */
  refusals?: number[];
}

/** Schema of an internal route for `openapi/internal.json`; requests are checked by the handlers. */
export function describeInternal(doc: InternalRouteDoc): FastifySchema {
  const refusals = [400, 403, 426, ...(doc.refusals ?? [])];
  const schema: FastifySchema = {
    operationId: doc.operationId,
    summary: doc.summary,
    tags: [doc.tag],
    headers: Type.Object({
      [internalVersionHeader]: Type.String({ description: 'Major version of the build.' }),
      ...(doc.tagged ? { 'If-None-Match': Type.Optional(Type.String()) } : {}),
    }),
    response: {
      [doc.status ?? 200]: doc.answer ? component(doc.answer) : Type.Null({ description: 'No body.' }),
      ...(doc.tagged ? { 304: Type.Null({ description: 'As the client has it.' }) } : {}),
      401: component('Unauthorized'),
      ...Object.fromEntries(refusals.map((code) => [code, component('Fault')])),
      // 404 and 405 of the routing, 413, 429 of a rate limit, 500 and 503.
      default: component('Fault'),
    },
  };
  if (doc.query) schema.querystring = Type.Object(doc.query);
  if (doc.params) {
    const params = Object.entries(doc.params).map(([name, description]) => [name, Type.String({ description })]);
    schema.params = Type.Object(Object.fromEntries(params));
  }
  if (doc.body) schema.body = doc.body;
  return schema;
}

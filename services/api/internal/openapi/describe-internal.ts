import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { type RouteDoc, routeSchema } from '../../openapi/route-schemas.ts';
import { internalVersionHeader } from '../internal-version.ts';

/** What the documentation of an internal route says. */
interface InternalRouteDoc extends RouteDoc {
  /** Answers have an entity tag, and 304 when the client names it. */
  tagged?: boolean;
}

/** Schema of an internal route for `openapi/internal.json`; requests are checked by the handlers. */
export function describeInternal(doc: InternalRouteDoc): FastifySchema {
  return routeSchema(doc, {
    headers: {
      [internalVersionHeader]: Type.String({ description: 'Major version of the build.' }),
      ...(doc.tagged ? { 'If-None-Match': Type.Optional(Type.String()) } : {}),
    },
    versionRefusal: 426,
    responses: doc.tagged ? { 304: Type.Null({ description: 'As the client has it.' }) } : {},
  });
}

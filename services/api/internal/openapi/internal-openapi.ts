import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { documentOptions } from '../../openapi/document-options.ts';
import { type RouteDoc, routeSchema } from '../../openapi/route-schemas.ts';
import { internalVersionHeader } from '../internal-version.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of the internal surface. Available only inside its plugin and once it is ready. */
    internalDocument(): object;
  }
}

/** Generates the document of the internal surface and serves it at `openapi.json` in it. Call before its routes. */
export async function installInternalOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    decorator: 'internalDocument',
    ...documentOptions({
      title: 'Vigil internal',
      version,
      description:
        'For the dashboard and operators, beside the public API. It may change with every build: send its major version.',
    }),
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.internalDocument());
}

/** Documentation of an internal route. */
interface InternalRouteDoc extends RouteDoc {
  /** Responses have an entity tag, and 304 when the client names it. */
  tagged?: boolean;
}

/** Schema of an internal route for `openapi/internal.json`. Requests are checked by the handlers. */
export function describeInternal(doc: InternalRouteDoc): FastifySchema {
  return routeSchema(doc, {
    headers: {
      [internalVersionHeader]: Type.String({ description: 'Major version of the build.' }),
      ...(doc.tagged ? { 'If-None-Match': Type.Optional(Type.String()) } : {}),
    },
    versionRefusal: 426,
    responses: doc.tagged
      ? { 304: Type.Null({ description: 'Not modified: the client has the current version.' }) }
      : {},
  });
}

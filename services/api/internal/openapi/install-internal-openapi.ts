import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { onlyReferred } from '../../openapi/only-referred.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of the internal surface; only inside its plugin and once it is ready. */
    internalDocument(): object;
  }
}

/** Generates the document of the internal surface and serves it at `openapi.json` in it. Call before its routes. */
export async function installInternalOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    decorator: 'internalDocument',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vigil internal',
        version,
        description:
          'What the dashboard and operators use beside the public API. It may change with every build: send its major version.',
        license: { name: 'Apache-2.0' },
      },
      components: {
        securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } },
      },
      security: [{ token: [] }],
    },
    // The plugin sees the components of the public surface too.
    transformObject: onlyReferred,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.internalDocument());
}

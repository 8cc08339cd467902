import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

const prefix = '#/components/schemas/';

type Options = Pick<FastifyDynamicSwaggerOptions, 'openapi' | 'transformObject' | 'refResolver'>;

/**
 * Options of `@fastify/swagger` for the document of a surface: components by their `$id`, without unreferenced ones.
 */
export function documentOptions(info: { title: string; version: string; description: string }): Options {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/', description: 'The API that serves this document.' }],
      components: {
        securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } },
      },
      security: [{ token: [] }],
    },
    // The plugin sees the components of all surfaces.
    transformObject: onlyReferred,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  };
}

/** Transforms a document of `@fastify/swagger`: drops components that its paths do not reference. */
function onlyReferred(given: { openapiObject: object } | { swaggerObject: object }): object {
  if (!('openapiObject' in given)) return given.swaggerObject;
  const document = given.openapiObject;
  const { paths, components } = document as {
    paths?: object;
    components?: { schemas?: Record<string, object> };
  };
  const schemas = components?.schemas ?? {};
  const kept = new Set<string>();
  const waiting = [...referredBy(paths)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (kept.has(name)) continue;
    kept.add(name);
    waiting.push(...referredBy(schemas[name]));
  }
  const left = Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name)));
  return { ...document, components: { ...components, schemas: left } };
}

function referredBy(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(prefix)) return [value.slice(prefix.length)];
    return referredBy(value);
  });
}

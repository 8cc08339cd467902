const prefix = '#/components/schemas/';

/** Transforms a document of `@fastify/swagger`: components that nothing in its paths leads to are left out. */
export function onlyReferred(given: { openapiObject: object } | { swaggerObject: object }): object {
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

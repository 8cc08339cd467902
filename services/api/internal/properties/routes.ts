import type { FastifyInstance } from 'fastify';
import { VigilError } from '#libs/domain';
import type { DynamicProperties, PropertyReading } from '#libs/dynamic-properties';
import { queryArguments } from '../../collections/query-arguments.ts';
import { ApiFault, badRequest } from '../../http/faults/fault.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { requireValue } from './create-properties.ts';
import { propertySchemas } from './schema.ts';

const tag = 'properties';
const kind = 'Kind of the entity, such as `server`.';
const id = 'Uuid of the entity, or the id described by its declarations.';
const name = 'Name of the property.';

interface Params {
  kind: string;
  id: string;
  name: string;
}

/** Dynamic properties of entities: the catalogue, the values, and their invalidation. */
export function registerPropertyRoutes(app: FastifyInstance, properties: DynamicProperties): void {
  for (const schema of propertySchemas) app.addSchema(schema);
  registerReads(app, properties);
  registerInvalidations(app, properties);
}

function registerReads(app: FastifyInstance, properties: DynamicProperties): void {
  const listSchema = describeInternal({
    tag,
    operationId: 'list_property_declarations',
    summary: 'Declared dynamic properties of entities',
    response: 'PropertyDeclarations',
  });
  app.get('/properties', { schema: listSchema }, async (request) => {
    queryArguments(request);
    return {
      properties: properties.declarations().map((declaration) => ({
        kind: declaration.kind,
        name: declaration.name,
        description: declaration.description,
        schema: declaration.schema,
        ttl_seconds: declaration.ttlSeconds,
        stale_while_revalidate_seconds: declaration.staleWhileRevalidateSeconds,
        timeout_seconds: declaration.timeoutSeconds,
        locked: declaration.locked,
        backend: declaration.backend,
      })),
    };
  });
  const entitySchema = describeInternal({
    tag,
    operationId: 'get_properties',
    summary: 'Every dynamic property of an entity, each with its own error when it has one',
    params: { kind, id },
    response: 'EntityProperties',
    refusals: [404],
  });
  app.get<{ Params: Params }>('/properties/:kind/:id', { schema: entitySchema }, async (request) => {
    queryArguments(request);
    const params = checkedParams(request);
    const readings = await asFault(properties.readAll(params.kind, params.id));
    const bodies = Object.entries(readings).map(([property, reading]) => [property, bodyOf(reading)]);
    return { kind: params.kind, id: params.id, properties: Object.fromEntries(bodies) };
  });
  const oneSchema = describeInternal({
    tag,
    operationId: 'get_property',
    summary: 'One dynamic property; 502, 503 or 504 only when there is no earlier value',
    params: { kind, id, name },
    response: 'EntityProperty',
    refusals: [404, 502, 503, 504],
  });
  app.get<{ Params: Params }>('/properties/:kind/:id/:name', { schema: oneSchema }, async (request) => {
    queryArguments(request);
    const params = checkedParams(request);
    const reading = await asFault(properties.read(params.kind, params.id, params.name));
    requireValue(reading);
    return { kind: params.kind, id: params.id, name: params.name, ...bodyOf(reading) };
  });
}

function registerInvalidations(app: FastifyInstance, properties: DynamicProperties): void {
  const allSchema = describeInternal({
    tag,
    operationId: 'invalidate_properties',
    summary: 'Invalidates all values of an entity',
    params: { kind, id },
    status: 204,
    refusals: [404],
  });
  app.post<{ Params: Params }>('/properties/:kind/:id/invalidate', { schema: allSchema }, async (request, reply) => {
    const params = checkedParams(request);
    await asFault(properties.invalidate(params.kind, params.id, null));
    return reply.code(204).send();
  });
  const oneSchema = describeInternal({
    tag,
    operationId: 'invalidate_property',
    summary: 'Invalidates the value of one property',
    params: { kind, id, name },
    status: 204,
    refusals: [404],
  });
  app.post<{ Params: Params }>(
    '/properties/:kind/:id/:name/invalidate',
    { schema: oneSchema },
    async (request, reply) => {
      const params = checkedParams(request);
      await asFault(properties.invalidate(params.kind, params.id, params.name));
      return reply.code(204).send();
    },
  );
}

function bodyOf({ value, ageSeconds, stale, error }: PropertyReading): object {
  return { value, age_seconds: ageSeconds === null ? null : Math.round(ageSeconds * 10) / 10, stale, error };
}

/** An id becomes part of URLs of cloud services: `..` would lead elsewhere. */
const idPattern = /^(?!\.{1,2}$)[^/\\?#%\p{Cc}]{1,255}$/u;

/** @throws ApiFault 400 for an id that no cloud resource can have. */
function checkedParams({ params }: { params: Params }): Params {
  if (idPattern.test(params.id)) return params;
  throw badRequest('id: 1 to 255 characters without slashes and control characters, and not a dot or two');
}

/** @throws ApiFault 404 for an unknown property, 504 for one that exceeds the time limit. */
async function asFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof VigilError)) throw error;
    if (error.code === 'property_unknown') throw new ApiFault(404, error.message);
    if (error.code === 'property_late') throw new ApiFault(504, error.message);
    throw error;
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { RouteDeps } from '../api-deps.ts';
import { authorize } from '../auth/policy.ts';
import { ApiFault } from '../http/faults/fault.ts';
import { etagOf } from '../http/request/etag.ts';
import { describe, pagingArguments } from '../openapi/route-schemas.ts';
import type { Extent, ViewContext } from '../views/view-context.ts';
import {
  collectionBody,
  type Listed,
  type PageRequest,
  readListArguments,
  readPageRequest,
} from './collection-page.ts';
import { getEntity } from './find-entity.ts';
import { queryArguments, requireUuid, showDeleted } from './query-arguments.ts';
import { createSharedReads, type SharedReads } from './shared-reads.ts';

/** One readable resource: how it is found, listed and shown. */
export interface ResourceDefinition<View> extends Listed<View> {
  /** Singular for policies, parameters and operation ids, such as `audit_template`. */
  singular: string;
  /** Component name of the single object. Lists use `<schema>ListEntry`. */
  schema: string;
  /** Name in fault texts of an identifier that must be a uuid. Absent where names and ids are accepted. */
  uuidIdent?: string;
  /** Finds the row that a path names. Default: by integer id, uuid or name. */
  find?: (ident: string, options: { showDeleted: boolean }) => Promise<View>;
  /** Bodies of the rows, in their order. Loads the referenced rows in as few queries as possible. */
  serialize(rows: View[], extent: Extent, context: ViewContext): Promise<object[]>;
  /** Name of a row in `next` and links. */
  identOf(row: View): string | number;
}

/** Registers list, detail and single reads of a resource. */
export function registerCollection<View extends { id: number }>(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<View>,
): void {
  const { rules, singular, schema } = resource;
  const query = {
    ...pagingArguments(Object.keys(rules.sortKeys)),
    ...Object.fromEntries(rules.filterArguments.map((name) => [name, Type.Optional(Type.String())])),
  };
  const docs = { tag: rules.name, refusals: [404] };
  const shared = createSharedReads<SharedResponse>();
  refuseDetailOfOne(app, rules.name);
  app.get(
    `/v1/${rules.name}`,
    {
      schema: describe({
        ...docs,
        operationId: `list_${rules.name}`,
        summary: 'List',
        query,
        response: `${schema}List`,
      }),
    },
    async (request, reply) => listRows(deps, resource, request, reply, { detail: false, shared }),
  );
  app.get(
    `/v1/${rules.name}/detail`,
    {
      schema: describe({
        ...docs,
        operationId: `detail_${rules.name}`,
        summary: 'List with all fields',
        query,
        response: `${schema}DetailList`,
      }),
    },
    async (request, reply) => listRows(deps, resource, request, reply, { detail: true, shared }),
  );
  app.get<{ Params: { ident: string } }>(
    `/v1/${rules.name}/:ident`,
    {
      schema: describe({
        ...docs,
        operationId: `get_${singular}`,
        summary: 'Show one',
        params: { ident: 'Uuid or name.' },
        response: schema,
      }),
    },
    async (request, reply) => {
      checkSingle(deps, resource, request, `${singular}:get`);
      return respond(reply, shared, request, async () => {
        const row = await findRow(resource, request.params.ident, showDeleted(request));
        return { etag: etagOf(row), body: JSON.stringify(await showOne(resource, request, row)) };
      });
    },
  );
}

/** Watcher has no details below an object, and returns the same text as for an unknown object. */
function refuseDetailOfOne(app: FastifyInstance, name: string): void {
  app.get<{ Params: { ident: string } }>(`/v1/${name}/:ident/detail`, { schema: { hide: true } }, async (request) => {
    throw new ApiFault(404, `The ${name} resource ${request.params.ident} could not be found`);
  });
}

/**
 * The row that the path of a request without further arguments names, after the policy check of `rule`.
 * @throws ApiFault 400, 403, NotFoundError.
 */
export async function authorizedRow<View extends { id: number }>(
  deps: RouteDeps,
  resource: ResourceDefinition<View>,
  request: FastifyRequest<{ Params: { ident: string } }>,
  rule: string,
): Promise<View> {
  checkSingle(deps, resource, request, rule);
  return findRow(resource, request.params.ident, showDeleted(request));
}

function checkSingle<View>(
  deps: RouteDeps,
  resource: ResourceDefinition<View>,
  request: FastifyRequest<{ Params: { ident: string } }>,
  rule: string,
): void {
  if (resource.uuidIdent !== undefined) requireUuid(resource.uuidIdent, request.params.ident);
  queryArguments(request);
  authorize(deps.policy, request, rule);
}

/** A response that is the same for every caller that the policy allows. */
interface SharedResponse {
  etag?: string;
  /** The serialized body. */
  body: string;
}

/** Sends the result of `read`, shared with equal requests that wait at the same time. */
async function respond(
  reply: FastifyReply,
  shared: SharedReads<SharedResponse>,
  request: FastifyRequest,
  read: () => Promise<SharedResponse>,
): Promise<string> {
  const { host, minor, showDeleted: deleted } = viewContext(request);
  const { etag, body } = await shared([request.url, host, minor, deleted].join(' '), read);
  if (etag !== undefined) reply.header('ETag', etag);
  reply.type('application/json; charset=utf-8');
  return body;
}

/** The body of a single object in GET, POST and PATCH responses. */
export async function showOne<View>(
  resource: ResourceDefinition<View>,
  request: FastifyRequest,
  row: View,
): Promise<object> {
  const [body] = await resource.serialize([row], 'full', viewContext(request));
  if (!body) throw new Error(`the serializer of ${resource.rules.name} gave no body`);
  return body;
}

/** Finds the row that a path names. */
export function findRow<View extends { id: number }>(
  resource: ResourceDefinition<View>,
  ident: string,
  deleted: boolean,
): Promise<View> {
  if (resource.find) return resource.find(ident, { showDeleted: deleted });
  return getEntity(resource.reader, resource.rules.entity, ident, { showDeleted: deleted });
}

function listRows<View extends { id: number }>(
  deps: RouteDeps,
  resource: ResourceDefinition<View>,
  request: FastifyRequest,
  reply: FastifyReply,
  { detail, shared }: { detail: boolean; shared: SharedReads<SharedResponse> },
): Promise<string> {
  const { rules, singular } = resource;
  const given = readListArguments(request, rules);
  authorize(deps.policy, request, `${singular}:${detail ? 'detail' : 'get_all'}`);
  return respond(reply, shared, request, async () => {
    const page = await readPageRequest(request, given, resource, { maxLimit: deps.maxLimit, detail });
    return { body: JSON.stringify(await pageBody(resource, page, viewContext(request))) };
  });
}

async function pageBody<View extends { id: number }>(
  resource: ResourceDefinition<View>,
  page: PageRequest<View>,
  context: ViewContext,
): Promise<object> {
  const rows = await resource.reader.list(page.query);
  const entries = await resource.serialize(rows, page.detail ? 'full' : 'list', context);
  const last = rows.at(-1);
  return collectionBody(context.host, resource.rules, page, entries, last && resource.identOf(last));
}

function viewContext(request: FastifyRequest): ViewContext {
  return {
    host: request.base.host,
    minor: request.microversion,
    showDeleted: showDeleted(request),
  };
}

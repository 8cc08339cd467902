import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canApply, StateConflictError, type StateTable } from '#libs/domain';
import type { RouteDeps } from '../api-deps.ts';
import { badRequest, conflict } from '../http/faults/fault.ts';
import { type ClaimKey, onceByKey } from '../http/request/idempotency.ts';
import { refuseOddBody } from '../http/watcher-text/json-body.ts';
import { describe } from '../openapi/route-schemas.ts';
import { component } from '../openapi/shared-schemas.ts';
import { queryArguments } from './query-arguments.ts';
import { authorizedRow, findRow, type ResourceDefinition, showOne } from './register-collection.ts';

/** A change of one object, for the documentation. */
interface ChangeDoc {
  summary: string;
  /** Accepted identifiers of an object in the path, such as `Uuid or name.` */
  ident: string;
  /** Beside 400, 401, 403 and 406. */
  refusals: number[];
}

/** Registers POST on the collection. `create` runs once for each idempotency key. */
export function registerCreate<View extends { id: number; uuid: string }>(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<View>,
  summary: string,
  create: (request: FastifyRequest, claim: ClaimKey, reply: FastifyReply) => Promise<View>,
): void {
  const { rules, singular, schema: name } = resource;
  const schema = describe({
    tag: rules.name,
    operationId: `create_${singular}`,
    summary,
    body: component(`${name}Create`),
    response: name,
    status: 201,
    refusals: [404, 409, 415, 422, 500],
  });
  app.post(`/v1/${rules.name}`, { schema }, async (request, reply) => {
    queryArguments(request);
    return onceByKey(deps.store, request, reply, {
      act: (claim) => create(request, claim, reply),
      find: (uuid) => findRow(resource, uuid, true),
      show(row) {
        reply.code(201).header('Location', `${request.base.app}/v1/${rules.name}/${row.uuid}`);
        return showOne(resource, request, row);
      },
    });
  });
}

/** Registers PATCH of one object. `update` checks the permission and returns the new row. */
export function registerUpdate<View>(
  app: FastifyInstance,
  resource: ResourceDefinition<View>,
  { ident, ...doc }: ChangeDoc,
  update: (request: FastifyRequest, ident: string, reply: FastifyReply) => Promise<View>,
): void {
  const { rules, singular, schema: response } = resource;
  const docs = { ...doc, tag: rules.name, operationId: `update_${singular}` };
  const schema = describe({ ...docs, params: { ident }, body: component('Patch'), response: response });
  app.patch<{ Params: { ident: string } }>(`/v1/${rules.name}/:ident`, { schema }, async (request, reply) => {
    queryArguments(request);
    return showOne(resource, request, await update(request, request.params.ident, reply));
  });
}

/** Registers DELETE of one object for callers with the rule `<singular>:delete`. */
export function registerDelete<View extends { id: number }>(
  app: FastifyInstance,
  deps: RouteDeps,
  resource: ResourceDefinition<View>,
  { ident, ...doc }: ChangeDoc,
  remove: (request: FastifyRequest, row: View) => Promise<void>,
): void {
  const { rules, singular } = resource;
  const docs = { ...doc, tag: rules.name, operationId: `delete_${singular}` };
  const schema = describe({ ...docs, params: { ident }, status: 204 });
  app.delete<{ Params: { ident: string } }>(`/v1/${rules.name}/:ident`, { schema }, async (request, reply) => {
    refuseOddBody(request);
    await remove(request, await authorizedRow(deps, resource, request, `${singular}:delete`));
    return reply.code(204).header('Content-Length', '0').send();
  });
}

/** Routes of operations on one object, without the object: Watcher names the missing argument. */
export function refuseWithoutIdent(
  app: FastifyInstance,
  argument: string,
  routes: readonly (readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string])[],
): void {
  for (const [method, url] of routes) {
    app.route({
      method,
      url,
      schema: { hide: true },
      handler: async () => {
        throw badRequest(`Missing argument: "${argument}"`);
      },
    });
  }
}

/** @throws ApiFault 400 in a state that does not allow deletion. */
export function requireDeletable(table: StateTable<string, string>, state: string): void {
  if (!canApply(table, state, 'delete')) throw badRequest(undeletable(state));
}

/** Makes the 409 of a delete that lost the race against another change of state. */
export function lostDelete(error: unknown): never {
  throw error instanceof StateConflictError ? conflict(undeletable(error.currentState)) : error;
}

function undeletable(state: string | null): string {
  return `Couldn't delete when state is '${state}'.`;
}

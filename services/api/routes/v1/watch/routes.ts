import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { RouteDeps } from '../../../api-deps.ts';
import type { ChangeStream } from '../../../change-stream/change-stream.ts';
import { userOf } from '../../../change-stream/event-streams.ts';
import { readPlace, streamFault } from '../../../change-stream/stream-faults.ts';
import { filterNames, readWatchFilter, storedFilter } from '../../../change-stream/watch-filter.ts';
import { intArgument, queryArguments, requireUuid, textArgument } from '../../../collections/query-arguments.ts';
import { badRequest } from '../../../http/faults/fault.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import type { ViewContext } from '../../../views/view-context.ts';

const tag = 'watch';
const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 120;

const filterArguments = Object.fromEntries(
  filterNames.map((name) => [
    name,
    Type.Optional(Type.String({ description: 'As in `WatcherCreate`; lists with commas.' })),
  ]),
);

/** `/v1/watch` and `/v1/watchers`: all changes, as events or by long polls. Extensions. */
export function registerWatchRoutes(app: FastifyInstance, deps: RouteDeps, stream: ChangeStream): void {
  app.addHook('preClose', () => stream.close());
  registerEvents(app, deps, stream);
  registerWatchers(app, deps, stream);
}

function registerEvents(app: FastifyInstance, deps: RouteDeps, stream: ChangeStream): void {
  const query = {
    ...filterArguments,
    since: Type.Optional(
      Type.String({ description: 'Position, `<epoch>:<revno>`; the header `Last-Event-ID` takes precedence.' }),
    ),
  };
  const schema = describe({
    tag,
    operationId: 'watch',
    summary: 'Extension: the full state, then every change, as server-sent events',
    query,
    response: 'EventStream',
    refusals: [410, 429],
  });
  schema.response = {
    ...(schema.response as object),
    200: { description: 'Events.', content: { 'text/event-stream': { schema: component('EventStream') } } },
  };
  app.get('/v1/watch', { schema, config: { eventStream: true } }, async (request, reply) => {
    const given = queryArguments(request, [...filterNames, 'since']);
    const filter = readWatchFilter(given, deps.policy, request);
    const header = request.headers['last-event-id'];
    const since = typeof header === 'string' && header !== '' ? header : textArgument(given, 'since');
    const place = since === undefined ? null : readPlace('since', since);
    await stream.open(request, reply, { filter, context: contextOf(request) }, place);
  });
}

function registerWatchers(app: FastifyInstance, deps: RouteDeps, stream: ChangeStream): void {
  const createSchema = describe({
    tag,
    operationId: 'create_watcher',
    summary: 'Extension: create a long-poll watcher',
    body: component('WatcherCreate'),
    response: 'Watcher',
    status: 201,
    refusals: [415, 429],
  });
  app.post('/v1/watchers', { schema: createSchema }, async (request, reply) => {
    queryArguments(request);
    const body = readOptions(request, filterNames, 'watcher');
    const filter = readWatchFilter(body, deps.policy, request);
    const id = deps.newUuid();
    const watcher = { id, owner: userOf(request), filter: storedFilter(filter) };
    if (!(await deps.store.changeStream.watchers.create(watcher, stream.limits.perUser)))
      throw streamFault('too_many_watchers');
    const { epoch } = await deps.store.changes.bounds();
    reply.code(201).header('Location', `${request.base.app}/v1/watchers/${id}`);
    return { id, epoch, revno: null };
  });

  const nextSchema = describe({
    tag,
    operationId: 'next_changes',
    summary: 'Extension: the full state the first time, then the changes, waiting for them',
    params: { ident: 'Id of the watcher.' },
    query: {
      timeout: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxTimeoutSeconds,
          default: defaultTimeoutSeconds,
          description: 'Seconds to wait for a change.',
        }),
      ),
    },
    response: 'Deltas',
    refusals: [404, 410],
  });
  app.get<{ Params: { ident: string } }>('/v1/watchers/:ident/next', { schema: nextSchema }, async (request, reply) => {
    const seconds = intArgument(queryArguments(request, ['timeout']), 'timeout') ?? defaultTimeoutSeconds;
    if (seconds < 0 || seconds > maxTimeoutSeconds) throw badRequest(`timeout: 0 to ${maxTimeoutSeconds} seconds`);
    const id = requireUuid('watcher', request.params.ident);
    const text = await stream.next(request, id, contextOf(request), seconds * 1000);
    return reply.type('application/json; charset=utf-8').serializer(String).send(text);
  });

  const stopSchema = describe({
    tag,
    operationId: 'stop_watcher',
    summary: 'Extension: stop a watcher',
    params: { ident: 'Id of the watcher.' },
    status: 204,
  });
  app.delete<{ Params: { ident: string } }>('/v1/watchers/:ident', { schema: stopSchema }, async (request, reply) => {
    queryArguments(request);
    await deps.store.changeStream.watchers.stop(requireUuid('watcher', request.params.ident), userOf(request));
    return reply.code(204).send();
  });
}

function contextOf(request: FastifyRequest): ViewContext {
  return { host: request.base.host, minor: request.microversion, showDeleted: false };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type TaskState, taskStates } from '#libs/domain';
import type { AuditView, Enqueued, Filter } from '#libs/store';
import { createTaskCatalogue, createTaskRequests, taskDefinitions } from '#libs/tasks';
import {
  limitArgument,
  type QueryArguments,
  queryArguments,
  requireUuid,
  textArgument,
  uuidArgument,
} from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';
import { objectField, refuseUnknownOptions, textField } from '../../http/watcher-text/body-fields.ts';
import { requireJsonObject } from '../../http/watcher-text/json-body.ts';
import { words } from '../../openapi/shared-schemas.ts';
import { taskBody } from '../../views/internal-bodies.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { taskSchemas } from './schema.ts';
import { auditScheduleBody, kindBody, loopBody, scheduleBody, warningBody } from './serializer.ts';

const tag = 'tasks';
const defaultLimit = 100;
const requestFields = ['name', 'args', 'host'];
const ident = { task: 'Uuid of the task.' };

/** Background tasks: running and finished ones, their schedules, starting one, and restarting a dead one. */
export function registerTaskRoutes(app: FastifyInstance, deps: InternalDeps): void {
  for (const schema of taskSchemas) app.addSchema(schema);
  registerReads(app, deps);
  registerCatalogue(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: FastifyInstance, { store, maxLimit }: InternalDeps): void {
  const list = describeInternal({
    tag,
    operationId: 'list_tasks',
    summary: 'Background tasks, newest first',
    query: {
      state: Type.Optional(words(taskStates, 'Only entries in this state.')),
      name: Type.Optional(Type.String()),
      queue: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of entries; default 100.' })),
      marker: Type.Optional(Type.String({ format: 'uuid', description: 'Start after this task.' })),
    },
    response: 'TaskList',
  });
  app.get('/tasks', { schema: list }, async (request) => {
    const query = queryArguments(request, ['state', 'name', 'queue', 'limit', 'marker']);
    const limit = limitArgument(query, defaultLimit, maxLimit);
    const tasks = await store.db.tasks.list({
      state: stateArgument(query),
      name: textArgument(query, 'name'),
      queue: textArgument(query, 'queue'),
      marker: uuidArgument(query, 'marker'),
      limit,
    });
    return { tasks: tasks.map(taskBody), next: tasks.length === limit ? (tasks.at(-1)?.uuid ?? null) : null };
  });

  const one = describeInternal({
    tag,
    operationId: 'get_task',
    summary: 'A background task with its progress, result or error',
    params: ident,
    response: 'Task',
    refusals: [404],
  });
  app.get<{ Params: { task: string } }>('/tasks/:task', { schema: one }, async (request) => {
    queryArguments(request);
    return taskBody(await store.db.tasks.get(requireUuid('task', request.params.task)));
  });
}

/** Continuous audits that have not ended. */
function continuousAudits(): Filter<AuditView>[] {
  return [
    { field: 'auditType', value: 'CONTINUOUS' },
    { field: 'state', op: 'in', value: ['PENDING', 'ONGOING'] },
  ];
}

function registerCatalogue(app: FastifyInstance, { store, maxLimit }: InternalDeps): void {
  const schedules = describeInternal({
    tag,
    operationId: 'list_task_schedules',
    summary: 'Scheduled work: task schedules, continuous audits, loops of processes; also faults of the configuration',
    response: 'TaskScheduleList',
  });
  app.get('/tasks/schedules', { schema: schedules }, async (request) => {
    queryArguments(request);
    const [rows, warnings, loops, audits] = await Promise.all([
      store.db.scheduledTasks.list(),
      store.db.scheduledTasks.warnings(),
      store.db.registry.loops(),
      store.db.audits.list({ filters: continuousAudits(), sortKey: 'name', limit: maxLimit }),
    ]);
    return {
      schedules: rows.map(scheduleBody),
      audits: audits.map(auditScheduleBody),
      loops: loops.map(loopBody),
      warnings: warnings.map(warningBody),
    };
  });

  const kinds = describeInternal({
    tag,
    operationId: 'list_task_kinds',
    summary: 'Tasks that can be run, with the schema of their arguments',
    response: 'TaskKindList',
  });
  app.get('/tasks/catalogue', { schema: kinds }, async (request) => {
    queryArguments(request);
    return { kinds: taskDefinitions.map(kindBody) };
  });
}

function registerWrites(app: FastifyInstance, { store, newUuid }: InternalDeps): void {
  const catalogue = createTaskCatalogue(taskDefinitions);
  const requests = createTaskRequests({ store, catalogue, newUuid });

  async function accepted(reply: FastifyReply, { uuid, coalesced }: Enqueued) {
    reply.code(202).header('Location', `/internal/tasks/${uuid}`);
    return { ...taskBody(await store.db.tasks.get(uuid)), coalesced };
  }

  const run = describeInternal({
    tag,
    operationId: 'run_task',
    summary: 'Requests a task; single-flight may return an existing one',
    body: Type.Object(
      {
        name: Type.String({ description: 'Name in the catalogue.' }),
        args: Type.Optional(Type.Object({}, { additionalProperties: true })),
        host: Type.Optional(Type.String({ description: 'Host of the run, for tasks of the queue `host`.' })),
      },
      { additionalProperties: false },
    ),
    response: 'AcceptedTask',
    status: 202,
  });
  app.post('/tasks', { schema: run }, async (request, reply) => {
    queryArguments(request);
    const body = requireJsonObject(request, 'task');
    refuseUnknownOptions(body, requestFields, 'task');
    const name = textField(body, 'name');
    if (name === null) throw badRequest('name: is missing');
    if (!catalogue.has(name)) throw badRequest(`name: unknown task "${name}"`);
    const host = textField(body, 'host');
    const options = { createdBy: callerOf(request), requestId: request.id, ...(host === null ? {} : { host }) };
    return accepted(reply, await requests.enqueue(name, objectField(body, 'args') ?? {}, options));
  });

  const retry = describeInternal({
    tag,
    operationId: 'retry_task',
    summary: 'Retries a failed task',
    params: ident,
    response: 'AcceptedTask',
    status: 202,
    refusals: [404, 409],
  });
  app.post<{ Params: { task: string } }>('/tasks/:task/retry', { schema: retry }, async (request, reply) => {
    queryArguments(request);
    return accepted(reply, await store.db.tasks.redrive(requireUuid('task', request.params.task), callerOf(request)));
  });
}

function callerOf(request: FastifyRequest): string {
  return request.caller.userId ?? 'anonymous';
}

function stateArgument(query: QueryArguments): TaskState | undefined {
  const text = textArgument(query, 'state');
  if (text === undefined) return undefined;
  const state = taskStates.find((candidate) => candidate === text.toUpperCase());
  if (!state) throw badRequest(`state: must be one of ${taskStates.join(', ')}, not "${text}"`);
  return state;
}

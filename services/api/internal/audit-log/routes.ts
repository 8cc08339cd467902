import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  limitArgument,
  type QueryArguments,
  queryArguments,
  textArgument,
  uuidArgument,
} from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';
import { component, moment, nullableText, nullableUuid, strict, uuid } from '../../openapi/shared-schemas.ts';
import { auditLogBody } from '../../views/internal-bodies.ts';
import type { InternalDeps } from '../internal-deps.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';
import { registerVerification } from './verification-route.ts';

const nullableObject = { type: ['object', 'null'], additionalProperties: true };

/** Components of the route of the audit log. */
const auditLogSchemas = [
  Type.Object(
    {
      uuid: uuid('Uuid of the entry.'),
      at: moment('Time of the request.'),
      request_id: Type.String({ description: 'The value of `X-OpenStack-Request-ID` in the response.' }),
      global_request_id: nullableText('Request id from the calling service.'),
      user_id: nullableText('Id of the user.'),
      user_name: nullableText('Name of the user; the typed one for a refused sign-in.'),
      project_id: nullableText('Project of the token.'),
      project_name: nullableText('Name of the project.'),
      roles: Type.Array(Type.String()),
      address: nullableText('Address of the client; behind a proxy with untrusted headers, of the proxy.'),
      method: Type.String(),
      route: Type.String({ description: 'Pattern of the path.' }),
      operation: Type.String({ description: 'Operation, such as `update_audit` or `sign_in`.' }),
      target_kind: nullableText('Kind of the target, such as `audit`.'),
      target: nullableText('Uuid, or the name from the request.'),
      status: Type.Unsafe({
        type: ['integer', 'null'],
        description: 'HTTP status; null: the change was made, but the process ended before its response.',
      }),
      summary: Type.String({ description: 'Summary of the requested change, without secrets.' }),
      changes: Type.Unsafe({
        type: ['object', 'null'],
        description: 'Values of a placement rule `before` and `after` the change; null without the rule.',
        properties: { before: nullableObject, after: nullableObject },
        required: ['before', 'after'],
        ...strict,
      }),
    },
    { $id: 'AuditLogEntry', ...strict },
  ),
  Type.Object(
    { entries: Type.Array(component('AuditLogEntry')), next: nullableUuid('Value of `marker` for the next page.') },
    { $id: 'AuditLogEntryList', ...strict },
  ),
];

const defaultLimit = 100;
const names = ['from', 'to', 'user', 'target', 'target_kind', 'method', 'limit', 'marker'];
const text = (description: string) => Type.Optional(Type.String({ description }));

/** `GET /internal/audit-log`: changes with their callers and outcomes. */
export function registerAuditLogRoutes(app: FastifyInstance, { store, maxLimit }: InternalDeps): void {
  for (const schema of auditLogSchemas) app.addSchema(schema);
  registerVerification(app, store);
  const schema = describeInternal({
    tag: 'audit-log',
    operationId: 'list_audit_log',
    summary: 'Requested changes with their callers, newest first',
    query: {
      from: text('Only entries since this time, ISO 8601.'),
      to: text('Only entries before this time, ISO 8601.'),
      user: text('Only entries of this user, by id or name.'),
      target: text('Only entries of this target; uuid, or the name from the request.'),
      target_kind: text('Only entries of this kind of target, such as `audit`.'),
      method: text('Only entries with this method, such as `DELETE`.'),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of entries; default 100.' })),
      marker: Type.Optional(Type.String({ format: 'uuid', description: 'Start after this entry.' })),
    },
    response: 'AuditLogEntryList',
  });
  app.get('/audit-log', { schema }, async (request) => {
    const query = queryArguments(request, names);
    const limit = limitArgument(query, defaultLimit, maxLimit);
    const entries = await store.db.auditLog.list({
      from: timeArgument(query, 'from'),
      to: timeArgument(query, 'to'),
      user: textArgument(query, 'user'),
      target: textArgument(query, 'target'),
      targetKind: textArgument(query, 'target_kind'),
      method: textArgument(query, 'method')?.toUpperCase(),
      marker: uuidArgument(query, 'marker'),
      limit,
    });
    return {
      entries: entries.map(auditLogBody),
      next: entries.length === limit ? (entries.at(-1)?.uuid ?? null) : null,
    };
  });
}

function timeArgument(query: QueryArguments, name: string): Date | undefined {
  const given = textArgument(query, name);
  if (given === undefined) return undefined;
  const time = new Date(given);
  if (Number.isNaN(time.getTime()))
    throw badRequest(`${name}: a time in ISO 8601 is expected, not "${given.slice(0, 80)}"`);
  return time;
}

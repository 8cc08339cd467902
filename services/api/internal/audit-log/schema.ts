import { Type } from 'typebox';
import { component, nullableText, nullableUuid, uuid } from '../../openapi/shared-schemas.ts';

const strict = { additionalProperties: false };

/** Components of the route of the audit log. */
export const auditLogSchemas = [
  Type.Object(
    {
      uuid: uuid('Of the entry.'),
      at: Type.String({ format: 'date-time', description: 'When the request came.' }),
      request_id: Type.String({ description: 'As answered in `X-OpenStack-Request-ID`.' }),
      global_request_id: nullableText('Request id that a calling service sent along.'),
      user_id: nullableText('Who asked.'),
      user_name: nullableText('Name, as typed for a sign-in that was refused.'),
      project_id: nullableText('Project of the token.'),
      project_name: nullableText('Its name.'),
      roles: Type.Array(Type.String()),
      address: nullableText('Of the client; behind a proxy only when its headers are trusted, else of the proxy.'),
      method: Type.String(),
      route: Type.String({ description: 'Pattern of the path.' }),
      operation: Type.String({ description: 'Such as `update_audit`, `sign_in`.' }),
      target_kind: nullableText('Such as `audit`.'),
      target: nullableText('Uuid, or the name under which it was asked for.'),
      status: Type.Unsafe({
        type: ['integer', 'null'],
        description: 'HTTP status; null: the change was made, and the process ended before it had answered.',
      }),
      summary: Type.String({ description: 'What was to be changed, without secrets.' }),
    },
    { $id: 'AuditLogEntry', ...strict },
  ),
  Type.Object(
    { entries: Type.Array(component('AuditLogEntry')), next: nullableUuid('Value of `marker` for the next page.') },
    { $id: 'AuditLogEntryList', ...strict },
  ),
];

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ChainEnd, Store } from '#libs/store';
import { queryArguments, textArgument } from '../../collections/query-arguments.ts';
import { badRequest } from '../../http/faults/fault.ts';
import { nullableUuid, strict } from '../../openapi/shared-schemas.ts';
import { describeInternal } from '../openapi/internal-openapi.ts';

const schemas = [
  Type.Object(
    {
      checked: Type.Integer({ description: 'Compared entries.' }),
      unsealed: Type.Integer({ description: 'Entries not yet in the chain.' }),
      first: Type.Integer({ description: 'Oldest number that has not expired.' }),
      last: Type.Unsafe({
        type: ['string', 'null'],
        description: 'Newest number and its hash, `<number>:<hash>`, for a later check.',
      }),
      faults: Type.Array(
        Type.Object(
          {
            number: Type.Integer(),
            uuid: nullableUuid('Uuid of the entry; null if it is missing.'),
            kind: Type.String({ description: 'Kind of the fault: `changed`, `missing` or `replaced`.' }),
          },
          strict,
        ),
        { description: 'The first 100 faults.' },
      ),
    },
    { $id: 'AuditLogVerification', ...strict },
  ),
];

/** `GET /internal/audit-log/verification`: compares the audit log with its chain of hashes. */
export function registerVerification(app: FastifyInstance, store: Store): void {
  for (const schema of schemas) app.addSchema(schema);
  const schema = describeInternal({
    tag: 'audit-log',
    operationId: 'verify_audit_log',
    summary: 'Entries changed or removed after they were written',
    query: { last: Type.Optional(Type.String({ description: 'Value of `last` from an earlier check.' })) },
    response: 'AuditLogVerification',
  });
  app.get('/audit-log/verification', { schema }, async (request) => {
    const known = endArgument(textArgument(queryArguments(request, ['last']), 'last'));
    const { last, ...report } = await store.db.auditLog.verify(known);
    return { ...report, last: last && `${last.number}:${last.seal}` };
  });
}

function endArgument(text: string | undefined): ChainEnd | undefined {
  if (text === undefined) return undefined;
  const [, number, seal] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || seal === undefined)
    throw badRequest('last: <number>:<hash> of an earlier check is expected');
  return { number: Number(number), seal };
}

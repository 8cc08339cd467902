import type { FastifyInstance } from 'fastify';
import type { SearchStatus } from '#libs/domain';
import { auditSearchTopic } from '#libs/messaging';
import type { AuditView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorizedRow } from '../../../collections/register-collection.ts';
import { callEngine, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { conflict } from '../../../http/faults/fault.ts';
import { snakeCaseKeys } from '../../../http/faults/notation.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { createAuditResource } from './resource.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'audits';
const params = { ident: 'Uuid or name.' };

/** How far the search of a running audit is, and taking the best it has. */
export function registerAuditSearch(app: FastifyInstance, deps: RouteDeps): void {
  const audits = createAuditResource(deps);
  const statusSchema = describe({
    tag,
    operationId: 'get_audit_search',
    summary: 'Interim result of the search of a running audit (extension)',
    params,
    response: 'AuditSearch',
    refusals: [404, 503],
  });
  app.get<WithIdent>('/v1/audits/:ident/search', { schema: statusSchema }, async (request) => {
    const audit = await authorizedRow(deps, audits, request, 'audit:get');
    return searchBody(audit, await notifyHolder(deps, audit, 'status'));
  });
  const finishSchema = describe({
    tag,
    operationId: 'finish_audit_search',
    summary: 'End the search of a running audit with its best plan so far (extension)',
    params,
    response: 'AuditSearch',
    status: 202,
    refusals: [404, 409, 503],
  });
  app.post<WithIdent>('/v1/audits/:ident/finish', { schema: finishSchema }, async (request, reply) => {
    const audit = await authorizedRow(deps, audits, request, 'audit:update');
    readOptions(request, [], 'finish');
    const search = await notifyHolder(deps, audit, 'finish');
    if (search === null) throw conflict(`Audit ${audit.uuid} is not running; its state is ${audit.state}`);
    reply.code(202);
    return searchBody(audit, search);
  });
}

/** Null when no decision engine runs the audit. */
async function notifyHolder(deps: RouteDeps, audit: AuditView, op: 'status' | 'finish'): Promise<SearchStatus | null> {
  if (audit.state !== 'ONGOING' || audit.runInstance === null) return null;
  const rpcRequest = { op, audit_uuid: audit.uuid };
  return (await callEngine(deps, auditSearchTopic(audit.runInstance), rpcRequest, unavailableWithoutEngine)).search;
}

function searchBody(audit: AuditView, search: SearchStatus | null) {
  return { audit_uuid: audit.uuid, search: search === null ? null : snakeCaseKeys(search) };
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { auditStateTable } from '#libs/domain';
import type { AuditView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import {
  lostDelete,
  refuseWithoutIdent,
  registerCreate,
  registerDelete,
  registerUpdate,
  requireDeletable,
} from '../../../collections/register-changes.ts';
import { authorizedRow, registerCollection } from '../../../collections/register-collection.ts';
import { snakeCaseKeys } from '../../../http/faults/notation.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { registerAlertTokens } from './alert-token-routes.ts';
import { registerAuditAutomation } from './automation-routes.ts';
import { createAudit } from './create-audit.ts';
import { registerAuditPreviews } from './preview-routes.ts';
import type { PreviewTurns } from './preview-turns.ts';
import { createAuditResource } from './resource.ts';
import { registerAuditSearch } from './search-routes.ts';
import { updateAudit } from './update-audit.ts';
import { registerAuditVariants } from './variant-routes.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'audits';
const params = { ident: 'Uuid or name.' };

/**
 * Reads and changes of audits, and the report of the last run. `turns` are shared with other computations of the user.
 */
export function registerAuditRoutes(app: FastifyInstance, deps: RouteDeps, turns: PreviewTurns): void {
  registerCollection(app, deps, createAuditResource(deps));
  registerChanges(app, deps);
  registerReport(app, deps);
  registerAuditPreviews(app, deps, turns);
  registerAuditVariants(app, deps, turns);
  registerAuditSearch(app, deps);
  registerAlertTokens(app, deps);
  registerAuditAutomation(app, deps);
  refuseWithoutIdent(app, 'audit', [
    ['DELETE', '/v1/audits'],
    ['PATCH', '/v1/audits'],
  ]);
}

function registerChanges(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createAuditResource(deps);
  registerCreate(app, deps, resource, 'Create; a ONESHOT audit runs at once', (request, claim, reply) =>
    createAudit(deps, request, claim, reply),
  );
  registerUpdate(
    app,
    resource,
    { ...params, summary: 'Change attributes or state', refusals: [404, 409, 412, 415, 500] },
    (request, ident, reply) => updateAudit(deps, request, ident, reply),
  );
  registerDelete(
    app,
    deps,
    resource,
    { ...params, summary: 'Delete', refusals: [404, 409, 412, 415] },
    (request, audit) => deleteAudit(deps, request, audit),
  );
}

async function deleteAudit(deps: RouteDeps, request: FastifyRequest, audit: AuditView): Promise<void> {
  requireDeletable(auditStateTable, audit.state);
  await deps.store.transaction(async (unit) => {
    await requireMatch(request, unit, audit.uuid, () => unit.audits.get(audit.uuid));
    await unit.audits.transition(audit.uuid, 'delete').catch(lostDelete);
    await unit.audits.softDelete(audit.uuid);
  });
}

function registerReport(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createAuditResource(deps);
  const schema = describe({
    tag,
    operationId: 'get_audit_report',
    summary: 'Report of the last run: considered, blocked and measured (extension)',
    params,
    response: 'AuditReport',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/audits/:ident/report', { schema }, async (request) => {
    const audit = await authorizedRow(deps, resource, request, 'audit:get');
    return { audit_uuid: audit.uuid, report: snakeCaseKeys(audit.report) };
  });
}

import type { FastifyInstance } from 'fastify';
import { auditStateTable, canApply, StateConflictError } from '#libs/domain';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments, showDeleted } from '../../../collections/query-arguments.ts';
import { findRow, registerCollection, showOne } from '../../../collections/register-collection.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { badRequest } from '../../../http/fault.ts';
import { baseUrls } from '../../../http/links.ts';
import { snakeCaseKeys } from '../../../http/snake-case.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { createAudit } from './create-audit.ts';
import { createAuditResource } from './resource.ts';
import { updateAudit } from './update-audit.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'audits';
const params = { ident: 'Uuid or name.' };

/** Reads and changes of audits, and the report of the last run. */
export function registerAuditRoutes(app: FastifyInstance, deps: RouteDeps): void {
  registerCollection(app, deps, createAuditResource(deps));
  registerChanges(app, deps);
  registerReport(app, deps);
  app.delete('/v1/audits', { schema: { hide: true } }, async () => {
    throw badRequest('Missing argument: "audit"');
  });
}

function registerChanges(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createAuditResource(deps);
  const createSchema = describe({
    tag,
    operationId: 'create_audit',
    summary: 'Create; a ONESHOT audit runs at once',
    body: component('AuditCreate'),
    answer: 'Audit',
    status: 201,
    refusals: [404, 409, 415],
  });
  app.post('/v1/audits', { schema: createSchema }, async (request, reply) => {
    queryArguments(request);
    const audit = await createAudit(deps, request);
    reply.code(201).header('Location', `${baseUrls(request, deps.publicUrl).app}/v1/audits/${audit.uuid}`);
    return showOne(deps, resource, request, audit);
  });
  const updateSchema = describe({
    tag,
    operationId: 'update_audit',
    summary: 'Change attributes or state',
    params,
    body: component('Patch'),
    answer: 'Audit',
    refusals: [404, 409, 415],
  });
  app.patch<WithIdent>('/v1/audits/:ident', { schema: updateSchema }, async (request) => {
    queryArguments(request);
    return showOne(deps, resource, request, await updateAudit(deps, request, request.params.ident));
  });
  const deleteSchema = describe({
    tag,
    operationId: 'delete_audit',
    summary: 'Delete',
    params,
    status: 204,
    refusals: [404],
  });
  app.delete<WithIdent>('/v1/audits/:ident', { schema: deleteSchema }, async (request, reply) => {
    queryArguments(request);
    authorize(deps.policy, request, 'audit:delete');
    const audit = await findRow(resource, request.params.ident, showDeleted(request));
    await deleteAudit(deps, audit);
    return reply.code(204).send();
  });
}

async function deleteAudit(
  deps: RouteDeps,
  audit: { uuid: string; state: Parameters<typeof canApply>[1] },
): Promise<void> {
  const refusal = (state: string | null) => badRequest(`Couldn't delete when state is '${state}'.`);
  if (!canApply<string, string>(auditStateTable, audit.state, 'delete')) throw refusal(audit.state);
  await deps.store.transaction(async (unit) => {
    await unit.audits.transition(audit.uuid, 'delete').catch((error: unknown) => {
      throw error instanceof StateConflictError ? refusal(error.currentState) : error;
    });
    await unit.audits.softDelete(audit.uuid);
  });
}

function registerReport(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createAuditResource(deps);
  const schema = describe({
    tag,
    operationId: 'get_audit_report',
    summary: 'What the last run considered, blocked and measured (extension)',
    params,
    answer: 'AuditReport',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/audits/:ident/report', { schema }, async (request) => {
    queryArguments(request);
    authorize(deps.policy, request, 'audit:get');
    const audit = await findRow(resource, request.params.ident, showDeleted(request));
    return { audit_uuid: audit.uuid, report: snakeCaseKeys(audit.report) };
  });
}

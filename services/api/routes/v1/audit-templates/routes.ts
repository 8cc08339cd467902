import type { FastifyInstance } from 'fastify';
import type { RouteDeps } from '../../../api-deps.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { authorizedRow, registerCollection, showOne } from '../../../collections/register-collection.ts';
import { requireMatch } from '../../../http/etag.ts';
import { onceByKey } from '../../../http/idempotency.ts';
import { refuseOddBody } from '../../../http/json-body.ts';
import { refuseWithoutIdent } from '../../../http/missing-ident.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { createAuditTemplate } from './create-audit-template.ts';
import { createAuditTemplateResource } from './resource.ts';
import { updateAuditTemplate } from './update-audit-template.ts';

const tag = 'audit_templates';
const params = { ident: 'Uuid or name.' };

/** Reads and changes of audit templates. */
export function registerAuditTemplateRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createAuditTemplateResource(deps);
  registerCollection(app, deps, resource);
  app.post(
    '/v1/audit_templates',
    {
      schema: describe({
        tag,
        operationId: 'create_audit_template',
        summary: 'Create',
        body: component('AuditTemplateCreate'),
        answer: 'AuditTemplate',
        status: 201,
        refusals: [404, 409, 415, 422, 500],
      }),
    },
    async (request, reply) => {
      queryArguments(request);
      return onceByKey(deps.store, request, reply, async (claim) => {
        const template = await createAuditTemplate(deps, request, claim);
        reply.code(201).header('Location', `${request.base.app}/v1/audit_templates/${template.uuid}`);
        return showOne(resource, request, template);
      });
    },
  );
  app.patch<{ Params: { ident: string } }>(
    '/v1/audit_templates/:ident',
    {
      schema: describe({
        tag,
        operationId: 'update_audit_template',
        summary: 'Change attributes',
        params,
        body: component('Patch'),
        answer: 'AuditTemplate',
        refusals: [404, 409, 412, 415, 500],
      }),
    },
    async (request) => {
      queryArguments(request);
      const template = await updateAuditTemplate(deps, request, request.params.ident);
      return showOne(resource, request, template);
    },
  );
  app.delete<{ Params: { ident: string } }>(
    '/v1/audit_templates/:ident',
    {
      schema: describe({
        tag,
        operationId: 'delete_audit_template',
        summary: 'Delete',
        params,
        status: 204,
        refusals: [404, 412, 415],
      }),
    },
    async (request, reply) => {
      refuseOddBody(request);
      const { uuid } = await authorizedRow(deps, resource, request, 'audit_template:delete');
      await deps.store.transaction(async (unit) => {
        await requireMatch(request, unit, uuid, () => unit.auditTemplates.get(uuid));
        await unit.auditTemplates.softDelete(uuid);
      });
      return reply.code(204).header('Content-Length', '0').send();
    },
  );
  refuseWithoutIdent(app, 'audit_template', [
    ['DELETE', '/v1/audit_templates'],
    ['PATCH', '/v1/audit_templates'],
  ]);
}

import type { FastifyInstance } from 'fastify';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments, showDeleted } from '../../../collections/query-arguments.ts';
import { findRow, registerCollection, showOne } from '../../../collections/register-collection.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { badRequest } from '../../../http/fault.ts';
import { baseUrls } from '../../../http/links.ts';
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
        refusals: [404, 409, 415],
      }),
    },
    async (request, reply) => {
      queryArguments(request);
      const template = await createAuditTemplate(deps, request);
      const { app: base } = baseUrls(request, deps.publicUrl);
      reply.code(201).header('Location', `${base}/v1/audit_templates/${template.uuid}`);
      return showOne(deps, resource, request, template);
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
        refusals: [404, 409, 415],
      }),
    },
    async (request) => {
      queryArguments(request);
      const template = await updateAuditTemplate(deps, request, request.params.ident);
      return showOne(deps, resource, request, template);
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
        refusals: [404],
      }),
    },
    async (request, reply) => {
      queryArguments(request);
      authorize(deps.policy, request, 'audit_template:delete');
      const template = await findRow(resource, request.params.ident, showDeleted(request));
      await deps.store.db.auditTemplates.softDelete(template.uuid);
      return reply.code(204).send();
    },
  );
  app.delete('/v1/audit_templates', { schema: { hide: true } }, async () => {
    throw badRequest('Missing argument: "audit_template"');
  });
}

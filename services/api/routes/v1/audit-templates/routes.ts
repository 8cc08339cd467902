import type { FastifyInstance } from 'fastify';
import type { RouteDeps } from '../../../api-deps.ts';
import {
  refuseWithoutIdent,
  registerCreate,
  registerDelete,
  registerUpdate,
} from '../../../collections/register-changes.ts';
import { registerCollection } from '../../../collections/register-collection.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import { createAuditTemplate } from './create-audit-template.ts';
import { createAuditTemplateResource } from './resource.ts';
import { updateAuditTemplate } from './update-audit-template.ts';

/** Reads and changes of audit templates. */
export function registerAuditTemplateRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createAuditTemplateResource(deps);
  registerCollection(app, deps, resource);
  registerCreate(app, deps, resource, 'Create', (request, claim) => createAuditTemplate(deps, request, claim));
  const ident = 'Uuid or name.';
  registerUpdate(
    app,
    resource,
    { ident, summary: 'Change attributes', refusals: [404, 409, 412, 415, 500] },
    (request, name) => updateAuditTemplate(deps, request, name),
  );
  registerDelete(app, deps, resource, { ident, summary: 'Delete', refusals: [404, 412, 415] }, (request, { uuid }) =>
    deps.store.transaction(async (unit) => {
      await requireMatch(request, unit, uuid, () => unit.auditTemplates.get(uuid));
      await unit.auditTemplates.softDelete(uuid);
    }),
  );
  refuseWithoutIdent(app, 'audit_template', [
    ['DELETE', '/v1/audit_templates'],
    ['PATCH', '/v1/audit_templates'],
  ]);
}

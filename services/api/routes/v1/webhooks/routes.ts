import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AuditState } from '#libs/domain';
import { auditTrigger, message } from '#libs/messaging';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { getEntity } from '../../../collections/find-entity.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { badRequest } from '../../../http/faults/fault.ts';
import { type ClaimKey, onceByKey } from '../../../http/request/idempotency.ts';
import { requireJson } from '../../../http/watcher-text/json-body.ts';
import { describe } from '../../../openapi/route-schemas.ts';

/** States in which an EVENT audit may be triggered. */
const triggerable: readonly AuditState[] = ['PENDING', 'SUCCEEDED', 'FAILED'];

/** `POST /v1/webhooks/{audit}`: has an EVENT audit run. */
export function registerWebhookRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag: 'webhooks',
    operationId: 'trigger_webhook',
    summary: 'Run an EVENT audit',
    params: { ident: 'Uuid or name of the audit.' },
    body: Type.Unknown({ description: 'Any JSON; the content is ignored.' }),
    status: 202,
    refusals: [404, 409, 415, 422],
  });
  app.post<{ Params: { ident: string } }>('/v1/webhooks/:ident', { schema }, async (request, reply) => {
    queryArguments(request);
    requireJson(request, 'body');
    if (deps.webhooksAuth) authorize(deps.policy, request, 'webhook:trigger');
    reply.code(202);
    return onceByKey(deps.store, request, reply, {
      act: (claim) => trigger(deps, request, claim),
      find: async () => undefined,
      show: () => undefined,
    });
  });
  app.post('/v1/webhooks', { schema: { hide: true } }, async () => {
    throw badRequest('Missing argument: "audit_ident"');
  });
}

async function trigger(
  deps: RouteDeps,
  request: FastifyRequest<{ Params: { ident: string } }>,
  claim: ClaimKey,
): Promise<void> {
  const audit = await getEntity(deps.store.db.audits, 'Audit', request.params.ident);
  if (audit.auditType !== 'EVENT') throw badRequest(`Audit type ${audit.auditType} is disallowed.`);
  if (!triggerable.includes(audit.state)) throw badRequest(`Audit state ${audit.state} is disallowed.`);
  await deps.store.transaction(async (unit) => {
    await claim(unit, audit.uuid);
    // Decision engines claim PENDING audits. An ended audit becomes PENDING again.
    // This trigger is not limited by alerts, as the run before may have been.
    if (audit.state !== 'PENDING') await unit.audits.transition(audit.uuid, 'retrigger', { set: { alertScope: null } });
    else if (audit.alertScope !== null) await unit.audits.update(audit.uuid, { alertScope: null });
    const sent = message(auditTrigger, { audit_uuid: audit.uuid, reason: 'webhook' });
    await unit.outbox.add({ eventId: deps.newUuid(), ...sent, requestId: request.id });
  });
}

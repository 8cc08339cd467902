import type { FastifyInstance } from 'fastify';
import { auditOfToken } from '../../../alerts/alert-token.ts';
import { readNotification } from '../../../alerts/read-notification.ts';
import { receiptReasons, receiveAlerts } from '../../../alerts/receive-alerts.ts';
import type { ApiDeps, RouteDeps } from '../../../api-deps.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { unauthorizedBody } from '../../../http/faults/fault-body.ts';
import { anonymousCaller } from '../../../http/request/request-context.ts';
import { requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';

/** `POST /v1/webhooks/alertmanager/{audit}`: has an EVENT audit run for alerts. Its token is the bearer token. */
export function registerAlertmanagerRoutes(app: FastifyInstance, deps: RouteDeps, { metrics }: ApiDeps): void {
  const counted = metrics.counter('vigil_alert_notifications_total', 'Notifications of Alertmanager', [
    'result',
    'reason',
  ]);
  const schema = describe({
    tag: 'webhooks',
    operationId: 'receive_alerts',
    summary: 'Run an EVENT audit for alerts; needs the alert token of the audit as bearer token (extension)',
    params: { audit: 'Uuid or name of the audit.' },
    body: component('AlertmanagerNotification'),
    response: 'AlertReceipt',
    status: 202,
    refusals: [415],
  });
  app.post<{ Params: { audit: string } }>('/v1/webhooks/alertmanager/:audit', { schema }, async (request, reply) => {
    const audit = await auditOfToken(deps.store, request, request.params.audit);
    if (audit === null) {
      counted.inc({ result: 'refused', reason: 'token' });
      return reply.code(401).header('WWW-Authenticate', 'Bearer').type('application/json').send(unauthorizedBody);
    }
    request.caller = { ...anonymousCaller, userName: `alert token of ${audit.name}` };
    const notification = readOrCount(() => {
      queryArguments(request);
      return readNotification(requireJsonObject(request, 'notification'));
    });
    const { result, reason, run } = await receiveAlerts(deps, audit, notification, request.id);
    counted.inc({ result, reason });
    if (result === 'ignored') {
      request.auditNotes = { operation: 'receive_alerts', targetKind: 'audit', isNothing: true };
    }
    reply.code(202);
    return { audit_uuid: audit.uuid, result, reason, detail: receiptReasons[reason], run_uuid: run };
  });

  function readOrCount<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      counted.inc({ result: 'refused', reason: 'payload' });
      throw error;
    }
  }
}

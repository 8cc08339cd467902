import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError } from '#libs/domain';
import type { AlertReceiver, AuditView, UnitOfWork } from '#libs/store';
import { defaultRepeatSeconds, readAlertSettings, settingNames } from '../../../alerts/alert-settings.ts';
import { newAlertToken } from '../../../alerts/alert-token.ts';
import type { RouteDeps } from '../../../api-deps.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { authorizedRow } from '../../../collections/register-collection.ts';
import { badRequest, conflict } from '../../../http/faults/fault.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { createAuditResource } from './resource.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'audits';
const params = { ident: 'Uuid or name of an EVENT audit.' };
const path = '/v1/audits/:ident/alert_token';
const argument = 'alert_token';
const changeRule = 'audit:alert_token';

/** Token of an EVENT audit for notifications of alerts, and its settings. The token is in one response only. */
export function registerAlertTokens(app: FastifyInstance, deps: RouteDeps): void {
  const audits = createAuditResource(deps);
  const eventAudit = async (request: FastifyRequest<WithIdent>, rule: string): Promise<AuditView> => {
    const audit = await authorizedRow(deps, audits, request, rule);
    if (audit.auditType !== 'EVENT') throw badRequest(`Audit type ${audit.auditType} is disallowed.`);
    return audit;
  };
  registerRead(app, deps, eventAudit);
  registerCreate(app, deps, eventAudit);
  registerChanges(app, deps, eventAudit);
}

type FindAudit = (request: FastifyRequest<WithIdent>, rule: string) => Promise<AuditView>;

function registerRead(app: FastifyInstance, { store }: RouteDeps, eventAudit: FindAudit): void {
  const schema = describe({
    tag,
    operationId: 'get_alert_token',
    summary: 'Settings and use of the alert token of an EVENT audit, without the token (extension)',
    params,
    response: 'AlertToken',
    refusals: [404],
  });
  app.get<WithIdent>(path, { schema }, async (request) => {
    const audit = await eventAudit(request, 'audit:get');
    return bodyOf(audit, await receiverOf(store.db, audit));
  });
}

function registerCreate(app: FastifyInstance, { store }: RouteDeps, eventAudit: FindAudit): void {
  const schema = describe({
    tag,
    operationId: 'create_alert_token',
    summary: 'Create the alert token of an EVENT audit; only this response shows it (extension)',
    params,
    body: component('AlertTokenSettings'),
    response: 'NewAlertToken',
    status: 201,
    refusals: [404, 409, 415],
  });
  app.post<WithIdent>(path, { schema }, async (request, reply) => {
    const audit = await eventAudit(request, changeRule);
    const { labels = {}, repeatSeconds = defaultRepeatSeconds } = readAlertSettings(settingsIn(request));
    const { token, tokenHash } = newAlertToken();
    const receiver = await store.transaction(async (unit) => {
      if (!(await unit.alertReceivers.create(audit.id, { tokenHash, labels, repeatSeconds }))) {
        throw conflict(`Audit ${audit.uuid} has an alert token; rotate or revoke it`);
      }
      const made = await receiverOf(unit, audit);
      request.auditChange = { before: null, after: bodyOf(audit, made) };
      return made;
    });
    unstored(reply).code(201).header('Location', `${request.base.app}/v1/audits/${audit.uuid}/alert_token`);
    return { ...bodyOf(audit, receiver), token };
  });
}

function registerChanges(app: FastifyInstance, { store }: RouteDeps, eventAudit: FindAudit): void {
  /** Runs `act` on the valid token. @throws NotFoundError when there is none. */
  const change = (
    request: FastifyRequest,
    audit: AuditView,
    act: (receivers: UnitOfWork['alertReceivers']) => Promise<boolean>,
  ): Promise<AlertReceiver> =>
    store.transaction(async (unit) => {
      const before = await unit.alertReceivers.find(audit.id);
      if (!(await act(unit.alertReceivers))) throw new NotFoundError('AlertToken', audit.uuid);
      const after = await receiverOf(unit, audit);
      request.auditChange = { before: before && bodyOf(audit, before), after: bodyOf(audit, after) };
      return after;
    });
  const docs = { tag, params, refusals: [404, 415] };

  const settings = describe({
    ...docs,
    operationId: 'change_alert_token',
    summary: 'Change the settings in the body; the token stays (extension)',
    body: component('AlertTokenSettings'),
    response: 'AlertToken',
  });
  app.patch<WithIdent>(path, { schema: settings }, async (request) => {
    const audit = await eventAudit(request, changeRule);
    const changes = readAlertSettings(settingsIn(request));
    return bodyOf(audit, await change(request, audit, (receivers) => receivers.change(audit.id, changes)));
  });

  const rotate = describe({
    ...docs,
    operationId: 'rotate_alert_token',
    summary: 'Replace the alert token of an EVENT audit; the previous one becomes invalid (extension)',
    response: 'NewAlertToken',
  });
  app.post<WithIdent>(`${path}/rotate`, { schema: rotate }, async (request, reply) => {
    const audit = await eventAudit(request, changeRule);
    queryArguments(request);
    readOptions(request, [], argument);
    const { token, tokenHash } = newAlertToken();
    const receiver = await change(request, audit, (receivers) => receivers.rotate(audit.id, tokenHash));
    unstored(reply);
    return { ...bodyOf(audit, receiver), token };
  });

  const revoke = describe({
    ...docs,
    operationId: 'revoke_alert_token',
    summary: 'Revoke the alert token of an EVENT audit, and drop its queued run (extension)',
    status: 204,
  });
  app.delete<WithIdent>(path, { schema: revoke }, async (request, reply) => {
    const audit = await eventAudit(request, changeRule);
    queryArguments(request);
    await change(request, audit, (receivers) => receivers.revoke(audit.id));
    return reply.code(204).send();
  });
}

function settingsIn(request: FastifyRequest) {
  queryArguments(request);
  return readOptions(request, settingNames, argument);
}

/** @throws NotFoundError when the audit never had a token. */
async function receiverOf({ alertReceivers }: Pick<UnitOfWork, 'alertReceivers'>, audit: AuditView) {
  const receiver = await alertReceivers.find(audit.id);
  if (receiver === null) throw new NotFoundError('AlertToken', audit.uuid);
  return receiver;
}

function bodyOf(audit: AuditView, receiver: AlertReceiver) {
  return {
    audit_uuid: audit.uuid,
    valid: receiver.revokedAt === null,
    labels: receiver.labels,
    repeat_seconds: receiver.repeatSeconds,
    created_at: receiver.createdAt.toISOString(),
    rotated_at: receiver.rotatedAt?.toISOString() ?? null,
    revoked_at: receiver.revokedAt?.toISOString() ?? null,
    used_at: receiver.usedAt?.toISOString() ?? null,
  };
}

/** No cache between client and API may keep a token. */
function unstored(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store');
}

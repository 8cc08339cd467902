import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AlreadyExistsError, NotFoundError } from '#libs/domain';
import { maxTargets, newSigningSecret } from '#libs/notification-targets';
import type { NotificationTarget, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { queryArguments } from '../../../collections/query-arguments.ts';
import { conflict } from '../../../http/faults/fault.ts';
import { canonicalUuid } from '../../../http/faults/notation.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { targetBody } from '../../../notification-targets/notification-bodies.ts';
import { readTarget } from '../../../notification-targets/read-target.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'notifications';
const argument = 'notification_target';
const path = '/v1/notification_targets';
const params = { ident: 'Uuid or name of a target.' };

/** Receivers of notifications. Their secrets are in no response but the one that makes them. */
export function registerNotificationTargets(app: FastifyInstance, deps: RouteDeps): void {
  registerReads(app, deps);
  registerCreate(app, deps);
  registerChanges(app, deps);
}

function registerReads(app: FastifyInstance, { store, policy }: RouteDeps): void {
  const list = describe({
    tag,
    operationId: 'list_notification_targets',
    summary: `Receivers of notifications by name, at most ${maxTargets}, without their secrets (extension)`,
    response: 'NotificationTargetList',
  });
  app.get(path, { schema: list }, async (request) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:get_all');
    return { notification_targets: (await store.db.notificationTargets.list()).map(targetBody) };
  });

  const one = describe({
    tag,
    operationId: 'get_notification_target',
    summary: 'A receiver of notifications, without its secrets (extension)',
    params,
    response: 'NotificationTarget',
    refusals: [404],
  });
  app.get<WithIdent>(`${path}/:ident`, { schema: one }, async (request) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:get');
    return targetBody(await targetOf(store.db, request.params.ident));
  });
}

function registerCreate(app: FastifyInstance, { store, policy, newUuid, targetHosts }: RouteDeps): void {
  const schema = describe({
    tag,
    operationId: 'create_notification_target',
    summary: `Create a receiver of notifications; at most ${maxTargets} exist (extension)`,
    body: component('NotificationTargetCreate'),
    response: 'NewNotificationTarget',
    status: 201,
    refusals: [409, 415],
  });
  app.post(path, { schema }, async (request, reply) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:create');
    const { fields, secrets } = readTarget(requireJsonObject(request, argument), null, targetHosts());
    const { url = '', bearerToken = null, secret = newSigningSecret() } = secrets;
    const target = await change(store, fields.name, async (unit) => {
      if ((await unit.notificationTargets.count()) >= maxTargets)
        throw conflict(`At most ${maxTargets} notification targets can exist`);
      const uuid = newUuid();
      await unit.notificationTargets.insert({ ...fields, uuid, source: 'api' }, { url, secret, bearerToken });
      return keepChange(request, null, await targetOf(unit, uuid));
    });
    unstored(reply).code(201).header('Location', `${request.base.app}${path}/${target.uuid}`);
    return { ...targetBody(target), secret: secrets.secret === undefined ? secret : null };
  });
}

function registerChanges(app: FastifyInstance, { store, policy, targetHosts }: RouteDeps): void {
  const docs = { tag, params, refusals: [404, 409, 415] };

  const update = describe({
    ...docs,
    operationId: 'change_notification_target',
    summary: 'Change the fields in the body; others and secrets stay (extension)',
    body: component('NotificationTargetChange'),
    response: 'NotificationTarget',
  });
  app.patch<WithIdent>(`${path}/:ident`, { schema: update }, async (request) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:update');
    const body = requireJsonObject(request, argument);
    const changed = await change(store, String(body.name), async (unit) => {
      const before = await changeableTarget(unit, request.params.ident);
      const { fields, secrets } = readTarget(body, before, targetHosts());
      await unit.notificationTargets.update(before.id, fields, secrets);
      return keepChange(request, before, await targetOf(unit, before.uuid));
    });
    return targetBody(changed);
  });

  const rotate = describe({
    ...docs,
    operationId: 'rotate_notification_target',
    summary: 'Replace the key of the signature; only this response shows the new one (extension)',
    response: 'NewNotificationTarget',
  });
  app.post<WithIdent>(`${path}/:ident/rotate`, { schema: rotate }, async (request, reply) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:update');
    readOptions(request, [], argument);
    const secret = newSigningSecret();
    const target = await change(store, '', async (unit) => {
      const before = await changeableTarget(unit, request.params.ident);
      await unit.notificationTargets.rotate(before.id, secret);
      return keepChange(request, before, await targetOf(unit, before.uuid));
    });
    unstored(reply);
    return { ...targetBody(target), secret };
  });

  const remove = describe({
    tag,
    params,
    operationId: 'delete_notification_target',
    summary: 'Delete a receiver with its deliveries and dead letters (extension)',
    status: 204,
    refusals: [404, 409],
  });
  app.delete<WithIdent>(`${path}/:ident`, { schema: remove }, async (request, reply) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:delete');
    await change(store, '', async (unit) => {
      const before = await changeableTarget(unit, request.params.ident);
      await unit.notificationTargets.remove(before.id);
      request.auditChange = { before: targetBody(before), after: null };
    });
    return reply.code(204).send();
  });
}

/** By uuid or name. @throws NotFoundError */
export async function targetOf(
  { notificationTargets }: Pick<UnitOfWork, 'notificationTargets'>,
  ident: string,
): Promise<NotificationTarget> {
  const target = await notificationTargets.find(canonicalUuid(ident) ?? ident);
  if (target === null) throw new NotFoundError('NotificationTarget', ident);
  return target;
}

/** @throws ApiFault 409 for a target of the configuration. */
async function changeableTarget(unit: UnitOfWork, ident: string): Promise<NotificationTarget> {
  const target = await targetOf(unit, ident);
  if (target.source === 'api') return target;
  throw conflict(`Target ${target.name} is in the configuration of the schedulers (VIGIL_NOTIFICATION_TARGETS)`);
}

/** Changes of targets take turns. @throws ApiFault 409 when another target has the name. */
async function change<T>(store: RouteDeps['store'], name: string, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  try {
    return await store.transaction(async (unit) => {
      await unit.lock('notification targets');
      return work(unit);
    });
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    throw conflict(`A notification target ${name} already exists`);
  }
}

function keepChange(request: FastifyRequest, before: NotificationTarget | null, after: NotificationTarget) {
  request.auditChange = { before: before && targetBody(before), after: targetBody(after) };
  return after;
}

/** No cache between client and API may keep a secret. */
function unstored(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store');
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  NotFoundError,
  type NotificationDeliveryState,
  nearestQuestion,
  notificationDeliveryStates,
} from '#libs/domain';
import type { NotificationDelivery, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import {
  limitArgument,
  type QueryArguments,
  queryArguments,
  textArgument,
  uuidArgument,
} from '../../../collections/query-arguments.ts';
import { conflict, invalidField } from '../../../http/faults/fault.ts';
import { canonicalUuid } from '../../../http/faults/notation.ts';
import { readOptions } from '../../../http/watcher-text/body-fields.ts';
import { deliveryBody } from '../../../notification-targets/notification-bodies.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { words } from '../../../openapi/shared-schemas.ts';
import { targetOf } from './target-routes.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'notifications';
const path = '/v1/notification_deliveries';
const defaultLimit = 100;
const filters = ['target', 'state', 'limit', 'marker'];

/** Deliveries of notifications: sent, waiting and dead ones, sending one again, and a test of a target. */
export function registerNotificationDeliveries(app: FastifyInstance, deps: RouteDeps): void {
  registerReads(app, deps);
  registerResend(app, deps);
  registerTest(app, deps);
}

function registerReads(app: FastifyInstance, { store, policy, maxLimit }: RouteDeps): void {
  const list = describe({
    tag,
    operationId: 'list_notification_deliveries',
    summary: 'Deliveries of notifications, newest first; dead letters with `state=DEAD` (extension)',
    query: {
      target: Type.Optional(Type.String({ description: 'Only deliveries to this target; uuid or name.' })),
      state: Type.Optional(words(notificationDeliveryStates, 'Only entries in this state.')),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of entries; default 100.' })),
      marker: Type.Optional(Type.String({ format: 'uuid', description: 'Start after this delivery.' })),
    },
    response: 'NotificationDeliveryList',
    refusals: [404],
  });
  app.get(path, { schema: list }, async (request) => {
    const query = queryArguments(request, filters);
    authorize(policy, request, 'notification_target:get_all');
    const limit = limitArgument(query, defaultLimit, maxLimit);
    const [target, state, marker] = [
      textArgument(query, 'target'),
      stateArgument(query),
      uuidArgument(query, 'marker'),
    ];
    const found = await store.db.notificationDeliveries.list({
      ...(target === undefined ? {} : { targetId: (await targetOf(store.db, target)).id }),
      ...(state === undefined ? {} : { state }),
      ...(marker === undefined ? {} : { before: (await deliveryOf(store.db, marker)).id }),
      limit,
    });
    const next = found.length === limit ? (found.at(-1)?.uuid ?? null) : null;
    return { notification_deliveries: found.map(deliveryBody), next };
  });

  const one = describe({
    tag,
    operationId: 'get_notification_delivery',
    summary: 'The delivery of one event to one target (extension)',
    params: { ident: 'Uuid of a delivery.' },
    response: 'NotificationDelivery',
    refusals: [404],
  });
  app.get<WithIdent>(`${path}/:ident`, { schema: one }, async (request) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:get');
    return deliveryBody(await deliveryOf(store.db, request.params.ident));
  });
}

function registerResend(app: FastifyInstance, { store, policy }: RouteDeps): void {
  const schema = describe({
    tag,
    operationId: 'resend_notification_delivery',
    summary: 'Send a dead letter or a delivered notification again, with the same id (extension)',
    params: { ident: 'Uuid of a delivery.' },
    response: 'NotificationDelivery',
    status: 202,
    refusals: [404, 409, 415],
  });
  app.post<WithIdent>(`${path}/:ident/resend`, { schema }, async (request, reply) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:resend');
    readOptions(request, [], 'notification_delivery');
    const by = request.caller.userName ?? request.caller.userId ?? 'anonymous';
    const resent = await store.transaction(async (unit) => {
      const { uuid, state, targetUuid } = await deliveryOf(unit, request.params.ident);
      await requireEnabled(unit, targetUuid);
      if (!(await unit.notificationDeliveries.resend(uuid, by)))
        throw conflict(`Delivery ${uuid} is ${state}: it is sent without a request`);
      return deliveryOf(unit, uuid);
    });
    return accepted(reply, resent);
  });
}

function registerTest(app: FastifyInstance, { store, policy, newUuid }: RouteDeps): void {
  const schema = describe({
    tag,
    operationId: 'test_notification_target',
    summary: 'Send a notification of the kind `target.test` to one target (extension)',
    params: { ident: 'Uuid or name of a target.' },
    response: 'NotificationDelivery',
    status: 202,
    refusals: [404, 409, 415],
  });
  app.post<WithIdent>('/v1/notification_targets/:ident/test', { schema }, async (request, reply) => {
    queryArguments(request);
    authorize(policy, request, 'notification_target:test');
    readOptions(request, [], 'notification_target');
    const made = await store.transaction(async (unit) => {
      const { id, name, uuid } = await targetOf(unit, request.params.ident);
      await requireEnabled(unit, uuid);
      const event = {
        kind: 'target.test',
        subject: name,
        key: `target.test:${newUuid()}`,
        data: { target: name },
      } as const;
      const delivery = await unit.notificationEvents.announceTo(id, event);
      if (delivery === null) throw new NotFoundError('NotificationTarget', request.params.ident);
      return deliveryOf(unit, delivery);
    });
    return accepted(reply, made);
  });
}

function accepted(reply: FastifyReply, delivery: NotificationDelivery) {
  reply.code(202).header('Location', `${reply.request.base.app}${path}/${delivery.uuid}`);
  return deliveryBody(delivery);
}

/** @throws ApiFault 409 */
async function requireEnabled(unit: UnitOfWork, target: string): Promise<void> {
  const { name, enabled } = await targetOf(unit, target);
  if (!enabled) throw conflict(`Notification target ${name} is disabled`);
}

/** @throws NotFoundError */
async function deliveryOf(
  { notificationDeliveries }: Pick<UnitOfWork, 'notificationDeliveries'>,
  ident: string,
): Promise<NotificationDelivery> {
  const uuid = canonicalUuid(ident);
  const delivery = uuid === null ? null : await notificationDeliveries.find(uuid);
  if (delivery === null) throw new NotFoundError('NotificationDelivery', ident);
  return delivery;
}

function stateArgument(query: QueryArguments): NotificationDeliveryState | undefined {
  const text = textArgument(query, 'state');
  if (text === undefined) return undefined;
  const state = notificationDeliveryStates.find((one) => one === text.toUpperCase());
  if (state !== undefined) return state;
  const hint = nearestQuestion(text, notificationDeliveryStates);
  throw invalidField('state', text, `Must be one of ${notificationDeliveryStates.join(', ')}.${hint}`);
}

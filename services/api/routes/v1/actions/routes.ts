import type { FastifyInstance } from 'fastify';
import type { ActionAttemptJournal } from '#libs/domain';
import type { RouteDeps } from '../../../api-deps.ts';
import { refuseWithoutIdent, registerUpdate } from '../../../collections/register-changes.ts';
import { authorizedRow, findRow, registerCollection, showOne } from '../../../collections/register-collection.ts';
import { snakeCaseKeys } from '../../../http/faults/notation.ts';
import { onceByKey } from '../../../http/request/idempotency.ts';
import { refuseOddBody } from '../../../http/watcher-text/json-body.ts';
import { timestamp } from '../../../http/watcher-text/timestamps.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { component } from '../../../openapi/shared-schemas.ts';
import { createActionResource } from './resource.ts';
import { skipAction, updateAction } from './update-action.ts';

type WithIdent = { Params: { ident: string } };
const tag = 'actions';
const params = { ident: 'Uuid.' };

/** Ids that the cloud gave to the changes of an action. Each is journalled below the name of the change. */
function requestIdsOf(attempt: ActionAttemptJournal | null): string[] {
  return Object.values(attempt?.result ?? {}).flatMap((change) => {
    const isChange = typeof change === 'object' && change !== null && 'request_id' in change;
    return isChange && typeof change.request_id === 'string' ? [change.request_id] : [];
  });
}

/** Reads of actions, skipping them, and why each was proposed. */
export function registerActionRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const resource = createActionResource(deps);
  registerCollection(app, deps, resource);
  registerUpdate(
    app,
    resource,
    { ...params, summary: 'Skip, or change the reason; from 1.5 on', refusals: [404, 409, 412, 415] },
    (request, ident) => updateAction(deps, request, ident),
  );
  refuseWithoutIdent(app, 'action_uuid', [['PATCH', '/v1/actions']]);
  const skipSchema = describe({
    tag,
    operationId: 'skip_action',
    summary: 'Skip an action that has not started, also in a running plan (extension)',
    params,
    body: component('ActionSkip'),
    response: 'Action',
    refusals: [404, 409, 415, 422],
  });
  app.post<WithIdent>('/v1/actions/:ident/skip', { schema: skipSchema }, async (request, reply) => {
    refuseOddBody(request);
    const action = await authorizedRow(deps, resource, request, 'action:update');
    return onceByKey(deps.store, request, reply, {
      act: (claim) => skipAction(deps, request, action, claim),
      find: (uuid) => findRow(resource, uuid, true),
      show: (skipped) => showOne(resource, request, skipped),
    });
  });
  const reasonSchema = describe({
    tag,
    operationId: 'get_action_reason',
    summary: 'Reason of a proposed action (extension)',
    params,
    response: 'ActionReason',
    refusals: [404],
  });
  app.get<WithIdent>('/v1/actions/:ident/reason', { schema: reasonSchema }, async (request) => {
    const action = await authorizedRow(deps, resource, request, 'action:get');
    const attempt = action.startedAt === null ? null : await deps.store.db.actionAttempts.latest(action.id);
    return {
      action_uuid: action.uuid,
      reason: snakeCaseKeys(action.reason),
      started_at: timestamp(action.startedAt),
      ended_at: timestamp(action.endedAt),
      rollback_state: action.rollbackState,
      rollback_message: action.rollbackMessage,
      cloud_request_ids: requestIdsOf(attempt),
    };
  });
}

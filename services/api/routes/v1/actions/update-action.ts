import type { FastifyRequest } from 'fastify';
import { type ActionPlanState, actionStates, StateConflictError } from '#libs/domain';
import { type ActionView, type UnitOfWork, voidApproval } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { requireUuid } from '../../../collections/query-arguments.ts';
import { badRequest, conflict, invalidField } from '../../../http/faults/fault.ts';
import { pythonText } from '../../../http/faults/notation.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import type { ClaimKey } from '../../../http/request/idempotency.ts';
import { readOptions, textField } from '../../../http/watcher-text/body-fields.ts';
import { applyPatch } from '../../../patch/apply-patch.ts';
import { type PatchRules, readPatch, refuseUnknownState } from '../../../patch/patch-operations.ts';
import { findAction } from './resource.ts';

const rules: PatchRules = {
  allowed: ['/state', '/status_message'],
  internal: [],
  mandatory: ['/state', '/status_message'],
  check: (operation, patch) => refuseUnknownState(operation, actionStates, patch),
};

/** Longest reason that fits the stored message together with its prefix. */
const maxMessage = 255;
/** Watcher's `status_message` of an action that was skipped without a reason. */
export const skippedText = 'Action skipped by user.';

/** `PATCH /v1/actions/{uuid}`: skip an action before its plan runs, or change the reason of a skipped one. */
export async function updateAction(deps: RouteDeps, request: FastifyRequest, ident: string): Promise<ActionView> {
  requireUuid('action_uuid', ident);
  const patch = readPatch(request, rules);
  if (request.microversion < 5) throw badRequest('API microversion 1.5 or higher is required.');
  authorize(deps.policy, request, 'action:update');
  const { uuid } = await findAction(deps, ident);
  return deps.store.transaction(async (unit) => {
    await requireMatch(request, unit, uuid, () => unit.actions.get(uuid));
    const action = await unit.actions.get(uuid);
    const values = applyPatch({ state: action.state, status_message: action.statusMessage }, patch);
    const state = values.has('state') ? pythonText(values.get('state')) : action.state;
    const reason = values.has('status_message') ? readReason(Object.fromEntries(values)) : undefined;
    if (state !== action.state) return skip(unit, action, { state, reason, planStates: beforeStart });
    return changeReason(unit, action, reason);
  });
}

function readReason(values: Parameters<typeof textField>[0]): string | null {
  const reason = textField(values, 'status_message');
  const longest = maxMessage - `${skippedText} Reason: `.length;
  if (reason !== null && reason.length > longest) {
    throw invalidField('status_message', reason, `Value should have at most ${longest} characters`);
  }
  return reason;
}

function messageFor(reason: string | null | undefined): string {
  return reason ? `${skippedText} Reason: ${reason}` : skippedText;
}

/**
 * `POST /v1/actions/{uuid}/skip`: skips a pending action of a running plan, which Watcher's PATCH cannot do. One
 * conditional update decides whether the action starts or is skipped.
 */
export async function skipAction(
  deps: RouteDeps,
  request: FastifyRequest,
  { uuid }: ActionView,
  claim: ClaimKey,
): Promise<ActionView> {
  const body = readOptions(request, ['reason'], 'skip');
  const reason = readReason({ status_message: body.reason ?? null });
  return deps.store.transaction(async (unit) => {
    await claim(unit, uuid);
    const planStates = [...beforeStart, 'ONGOING'] as const;
    return skip(unit, await unit.actions.get(uuid), { state: 'SKIPPED', reason, planStates });
  });
}

/** States of the plan in which Watcher lets an action be skipped. */
const beforeStart: readonly ActionPlanState[] = ['RECOMMENDED', 'PENDING'];

interface Skip {
  /** As requested. Anything but SKIPPED is refused. */
  state: string;
  reason: string | null | undefined;
  planStates: readonly ActionPlanState[];
}

async function skip(unit: UnitOfWork, action: ActionView, { state, reason, planStates }: Skip): Promise<ActionView> {
  const refusal = (from: string | null) => conflict(`State transition not allowed: (${from} -> ${state})`);
  if (action.state !== 'PENDING' || state !== 'SKIPPED') throw refusal(action.state);
  const plan = await unit.actionPlans.get(action.actionPlanUuid);
  if (!planStates.includes(plan.state)) {
    throw conflict(`State update not allowed for actionplan state: ${plan.state}`);
  }
  if (plan.approval === 'given' && plan.state === 'RECOMMENDED')
    await voidApproval(unit, plan, `action ${action.uuid} was skipped after it`);
  const set = { statusMessage: messageFor(reason) };
  return unit.actions.transition(action.uuid, 'skip', { set }).catch((error: unknown) => {
    throw error instanceof StateConflictError ? refusal(error.currentState) : error;
  });
}

async function changeReason(
  unit: UnitOfWork,
  action: ActionView,
  reason: string | null | undefined,
): Promise<ActionView> {
  if (reason === undefined || reason === action.statusMessage) return action;
  if (action.state !== 'SKIPPED') {
    throw conflict('status_message update only allowed when action state is SKIPPED');
  }
  return unit.actions.update(action.uuid, { statusMessage: messageFor(reason) });
}

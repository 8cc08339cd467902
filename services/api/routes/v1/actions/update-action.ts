import type { FastifyRequest } from 'fastify';
import { actionStates } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { authorize } from '../../../auth/policy.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
import { textField } from '../../../http/body-fields.ts';
import { badRequest, conflict, invalidField } from '../../../http/fault.ts';
import { applyPatch } from '../../../patch/apply-patch.ts';
import { type PatchRules, patchFault, patchValueFault, readPatch } from '../../../patch/patch-operations.ts';
import { findAction } from './resource.ts';

const rules: PatchRules = {
  allowed: ['/state', '/status_message'],
  internal: [],
  mandatory: ['/state', '/status_message'],
};

/** Longest reason that fits the stored message together with its prefix. */
const maxMessage = 255;
const skippedText = 'Action skipped by user.';

/** `PATCH /v1/actions/{uuid}`: skip an action before its plan runs, or change the reason of a skipped one. */
export async function updateAction(deps: RouteDeps, request: FastifyRequest, ident: string): Promise<ActionView> {
  const patch = readPatch(request, rules);
  for (const { path, value } of patch) {
    if (path === '/state' && !actionStates.some((state) => state === value)) {
      throw patchValueFault(patch, patchFault(patch, `Invalid state: ${String(value)}`).message);
    }
  }
  if (request.microversion < 5) throw badRequest('API microversion 1.5 or higher is required.');
  authorize(deps.policy, request, 'action:update');
  const action = await findAction(deps, ident);
  const values = applyPatch({ state: action.state, status_message: action.statusMessage }, patch);
  const state = String(values.get('state') ?? action.state);
  const reason = values.has('status_message') ? readReason(Object.fromEntries(values)) : undefined;
  if (state !== action.state) return skip(deps, action, state, reason);
  return changeReason(deps, action, reason);
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

async function skip(
  deps: RouteDeps,
  action: ActionView,
  state: string,
  reason: string | null | undefined,
): Promise<ActionView> {
  if (action.state !== 'PENDING' || state !== 'SKIPPED') {
    throw conflict(`State transition not allowed: (${action.state} -> ${state})`);
  }
  return deps.store.transaction(async (unit) => {
    const plan = await unit.actionPlans.get(action.actionPlanUuid);
    if (plan.state !== 'RECOMMENDED' && plan.state !== 'PENDING') {
      throw conflict(`State update not allowed for actionplan state: ${plan.state}`);
    }
    return unit.actions.transition(action.uuid, 'skip', { set: { statusMessage: messageFor(reason) } });
  });
}

async function changeReason(
  deps: RouteDeps,
  action: ActionView,
  reason: string | null | undefined,
): Promise<ActionView> {
  if (reason === undefined || reason === action.statusMessage) return action;
  if (action.state !== 'SKIPPED') {
    throw conflict('status_message update only allowed when action state is SKIPPED');
  }
  return deps.store.db.actions.update(action.uuid, { statusMessage: messageFor(reason) });
}

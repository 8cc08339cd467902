import type { FastifyRequest } from 'fastify';
import { type ActionPlanState, actionPlanStates } from '#libs/domain';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import { authorize } from '../../../auth/policy.ts';
import type { RouteDeps } from '../../../http/api-deps.ts';
import {
  commonInternal,
  firstSegment,
  type PatchOperation,
  type PatchRules,
  patchFault,
  patchValueFault,
  readPatch,
} from '../../../patch/patch-operations.ts';
import { findActionPlan } from './resource.ts';
import { launchPlan } from './start-action-plan.ts';

const rules: PatchRules = { internal: [...commonInternal, '/status_message'], mandatory: [] };

/** `PATCH /v1/action_plans/{uuid}`: only the state, and only start and cancel. */
export async function updateActionPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  ident: string,
): Promise<ActionPlanView> {
  const patch = readPatch(request, rules);
  for (const operation of patch) checkOperation(patch, operation);
  authorize(deps.policy, request, 'action_plan:update');
  const found = await findActionPlan(deps, ident);
  return deps.store.transaction(async (unit) => {
    const plan = await unit.actionPlans.get(found.uuid);
    const operation = patch.findLast(({ path }) => path === '/state');
    const wanted = operation?.op === 'remove' ? 'Unset' : (operation?.value ?? plan.state);
    const move = moves[`${plan.state} ${String(wanted)}`];
    if (!move) throw patchFault(patch, `State transition not allowed: (${plan.state} -> ${String(wanted)})`);
    return move(deps, request, unit, plan);
  });
}

function checkOperation(patch: readonly PatchOperation[], { op, path, value }: PatchOperation): void {
  if (path !== '/state') {
    const verb = op === 'add' ? 'update' : op;
    throw patchFault(patch, `can't ${verb} a non-existent object '${firstSegment(path)}'`);
  }
  if (op !== 'remove' && !actionPlanStates.some((state) => state === value)) {
    throw patchValueFault(patch, patchFault(patch, `Invalid state: ${String(value)}`).message);
  }
}

type Move = (
  deps: RouteDeps,
  request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
) => Promise<ActionPlanView>;
type MoveName = `${ActionPlanState} ${ActionPlanState}`;

/** What a client may ask for. */
const moves: Partial<Record<MoveName, Move>> & Record<string, Move | undefined> = {
  'RECOMMENDED PENDING': (deps, request, unit, plan) => launchPlan(deps, request, unit, plan),
  'RECOMMENDED CANCELLED': cancelBeforeStart,
  'PENDING CANCELLED': cancelBeforeStart,
  'ONGOING CANCELLING': (_deps, _request, unit, plan) => unit.actionPlans.transition(plan.uuid, 'requestCancel'),
};

async function cancelBeforeStart(
  _deps: RouteDeps,
  _request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
): Promise<ActionPlanView> {
  const cancelled = await unit.actionPlans.transition(plan.uuid, 'cancelBeforeStart');
  await unit.actions.cancelPending(plan.uuid, {});
  return cancelled;
}

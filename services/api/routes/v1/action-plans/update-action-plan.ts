import type { FastifyRequest } from 'fastify';
import { type ActionPlanState, actionPlanStates, StateConflictError } from '#libs/domain';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { requireUuid } from '../../../collections/query-arguments.ts';
import { badRequest, conflict } from '../../../http/faults/fault.ts';
import { pythonText } from '../../../http/faults/notation.ts';
import { requireMatch } from '../../../http/request/etag.ts';
import {
  commonInternal,
  firstSegment,
  type PatchOperation,
  type PatchRules,
  patchFault,
  readPatch,
  refuseUnknownState,
} from '../../../patch/patch-operations.ts';
import { type JudgedChanges, refuseStale } from './check-staleness.ts';
import { cancelBeforeStart } from './control-action-plan.ts';
import { requireApproval } from './require-approval.ts';
import { findActionPlan } from './resource.ts';
import { launchPlan } from './start-action-plan.ts';

const rules: PatchRules = {
  internal: [...commonInternal, '/status_message'],
  mandatory: [],
  check: (operation, patch) => refuseUnknownState(operation, actionPlanStates, patch),
};

/** Read-only attributes of a plan. Naming them is refused after the state check. */
const fixedAttributes = ['hostname', 'global_efficacy', 'audit_id', 'strategy_id'];

/**
 * `PATCH /v1/action_plans/{uuid}`: changes the state only, to start or cancel. Starting by state needs the permission
 * to start.
 */
export async function updateActionPlan(
  deps: RouteDeps,
  request: FastifyRequest,
  ident: string,
): Promise<ActionPlanView> {
  requireUuid('action_plan_uuid', ident);
  const patch = readPatch(request, rules);
  authorize(deps.policy, request, 'action_plan:update');
  const starts = patch.some(({ path, value }) => path === '/state' && value === 'PENDING');
  if (starts) authorize(deps.policy, request, 'action_plan:start');
  const found = await findActionPlan(deps, ident);
  if (starts) await requireApproval(deps, found);
  const judged = starts ? await refuseStale(deps, found) : [];
  return deps.store.transaction(async (unit) => {
    await requireMatch(request, unit, found.uuid, () => unit.actionPlans.get(found.uuid));
    const plan = await unit.actionPlans.get(found.uuid);
    for (const operation of patch) refuseUnknownAttribute(patch, operation);
    const operation = patch.findLast(({ path }) => path === '/state');
    const wanted = operation?.op === 'remove' ? 'Unset' : pythonText(operation ? operation.value : plan.state);
    const move = moves[`${plan.state} ${wanted}`];
    if (!move) throw patchFault(patch, `State transition not allowed: (${plan.state} -> ${wanted})`);
    const fixed = patch.find(({ path }) => path !== '/state');
    if (fixed) throw badRequest(`'${fixed.path}' is an internal attribute and can not be updated`);
    return move(deps, request, unit, plan, judged).catch((error: unknown) => {
      if (!(error instanceof StateConflictError)) throw error;
      // A concurrent request was faster.
      throw conflict(patchFault(patch, `State transition not allowed: (${error.currentState} -> ${wanted})`).message);
    });
  });
}

function refuseUnknownAttribute(patch: readonly PatchOperation[], { op, path }: PatchOperation): void {
  const attribute = firstSegment(path);
  const last = path.split('/').at(-1) ?? '';
  if (path === '/state' || fixedAttributes.includes(attribute)) return;
  if (attribute === 'state') throw patchFault(patch, `'${last}' is not a valid sequence index`);
  if (op === 'add') {
    throw badRequest(`Adding a new attribute (${path}) to the root of  the resource is not allowed`);
  }
  throw patchFault(patch, `can't ${op} a non-existent object '${last}'`);
}

type Move = (
  deps: RouteDeps,
  request: FastifyRequest,
  unit: UnitOfWork,
  plan: ActionPlanView,
  judged: JudgedChanges,
) => Promise<ActionPlanView>;
const requestCancel: Move = (_deps, _request, unit, plan) => unit.actionPlans.transition(plan.uuid, 'requestCancel');

type MoveName = `${ActionPlanState} ${ActionPlanState}`;

/** Changes of state that a client may request. */
const moves: Partial<Record<MoveName, Move>> & Record<string, Move | undefined> = {
  'RECOMMENDED PENDING': (deps, request, unit, plan, judged) => launchPlan(deps, request, unit, plan, { judged }),
  'RECOMMENDED CANCELLED': (_deps, _request, unit, plan) => cancelBeforeStart(unit, plan),
  'PENDING CANCELLED': (_deps, _request, unit, plan) => cancelBeforeStart(unit, plan),
  'ONGOING CANCELLING': requestCancel,
  'SUSPENDED PENDING': (deps, request, unit, plan, judged) => launchPlan(deps, request, unit, plan, { judged }),
  'SUSPENDED CANCELLING': requestCancel,
};

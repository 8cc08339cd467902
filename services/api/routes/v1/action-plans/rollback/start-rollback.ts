import type { FastifyRequest } from 'fastify';
import { inputOfRevert, type RevertStep, revertType } from '#libs/actions';
import { AlreadyExistsError, type PlanHosts } from '#libs/domain';
import { planHosts } from '#libs/messaging';
import type { ActionPlanView, UnitOfWork } from '#libs/store';
import type { RouteDeps } from '../../../../api-deps.ts';
import { callEngine } from '../../../../http/call-engine.ts';
import { badRequest, conflict } from '../../../../http/faults/fault.ts';
import type { ClaimKey } from '../../../../http/request/idempotency.ts';
import { launchPlan } from '../start-action-plan.ts';
import { readRollbackBody, readStartOptions } from '../start-options.ts';
import { refuseSmallBudget } from '../whole-step-budget.ts';
import { readRollback, type UndoableAction } from './read-rollback.ts';

/**
 * `POST /v1/action_plans/{uuid}/rollback`: makes a plan whose actions undo those of an ended one, and starts it, in one
 * transaction.
 * @throws ApiFault 400 when the plan has not ended or nothing of it can be undone, 409 while another rollback of it is
 * open.
 */
export async function startRollback(
  deps: RouteDeps,
  request: FastifyRequest,
  { uuid }: ActionPlanView,
  claim: ClaimKey,
): Promise<ActionPlanView> {
  const options = readStartOptions(readRollbackBody(request));
  if (options.onFailure === 'rollback') throw badRequest('A rollback cannot be rolled back when it fails');
  const hosts = await requestHosts(deps, uuid);
  const rollbackUuid = deps.newUuid();
  return deps.store.transaction(async (unit) => {
    await claim(unit, rollbackUuid);
    const former = await unit.actionPlans.get(uuid);
    const { steps, refusal } = await readRollback(unit, former);
    if (refusal) throw refusal.kind === 'conflict' ? conflict(refusal.text) : badRequest(refusal.text);
    const plan = await insertPlan(rollbackUuid, unit, former);
    await insertReverts(deps, unit, plan, steps);
    await refuseSmallBudget(unit, { ...plan, ...options });
    if (hosts) await unit.planHosts.insert(plan.id, hosts);
    return launchPlan(deps, request, unit, plan, { options });
  });
}

/**
 * Hosts before and after the rollback, for display. An unavailable or slow decision engine delays the rollback only up
 * to the call's time limit. The values are then unknown.
 */
async function requestHosts(deps: RouteDeps, uuid: string): Promise<PlanHosts | null> {
  const { steps, refusal } = await readRollback(deps.store.db, await deps.store.db.actionPlans.get(uuid));
  if (refusal) return null;
  const actions = steps.flatMap(({ action, waitsFor }) =>
    waitsFor === null ? [] : [{ action_type: revertType, input_parameters: inputOfRevert(action) }],
  );
  return callEngine(deps, planHosts, { actions }).catch(() => null);
}

/** The unique index on open rollbacks decides between two concurrent requests. */
async function insertPlan(uuid: string, unit: UnitOfWork, former: ActionPlanView): Promise<ActionPlanView> {
  try {
    return await unit.actionPlans.insert({
      uuid,
      auditId: former.auditId,
      strategyId: former.strategyId,
      statusMessage: `Rolls back action plan ${former.uuid}.`,
      rollsBack: former.uuid,
    });
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    throw conflict(`Action plan ${former.uuid} is being rolled back`);
  }
}

async function insertReverts(
  deps: RouteDeps,
  unit: UnitOfWork,
  plan: ActionPlanView,
  steps: readonly RevertStep<UndoableAction>[],
): Promise<void> {
  const reverts = steps.flatMap(({ action, waitsFor, summary }) =>
    waitsFor === null ? [] : [{ uuid: deps.newUuid(), action, waitsFor, summary }],
  );
  const uuidOf = new Map(reverts.map(({ uuid, action }) => [action.uuid, uuid]));
  await unit.actions.insertMany(
    reverts.map(({ uuid, action, waitsFor, summary }) => ({
      uuid,
      actionPlanId: plan.id,
      actionType: revertType,
      inputParameters: inputOfRevert(action),
      parents: waitsFor.flatMap((other) => uuidOf.get(other) ?? []),
      reason: { rule: 'rollback', summary, values: [], rejected: [] },
    })),
  );
}

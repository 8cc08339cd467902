import { type AuditVariants, NotFoundError } from '#libs/domain';
import { type AuditPlanRequest, type AuditPlanResponse, type RpcRefusal, refuse, refuseBecause } from '#libs/messaging';
import type { AuditView } from '#libs/store';
import { readAuditContext } from '../audit-runner/audit-context.ts';
import { type ComputedPlan, computePlan } from '../audit-runner/compute-plan.ts';
import { ActionPlanOngoingError, CurveReplacedError } from '../audit-runner/errors.ts';
import { createOngoingGuard, type OngoingGuard } from '../audit-runner/ongoing-guard.ts';
import { insertPlan } from '../audit-runner/store-plan.ts';
import type { PreviewDeps } from './preview-audit.ts';

/**
 * Returns `audit.plan`: plans the migrations of a point of the curve again, on the newest model, as far as they are
 * still possible and useful.
 */
export async function planVariant(
  { audit_uuid: uuid, budget }: AuditPlanRequest,
  deps: PreviewDeps,
): Promise<AuditPlanResponse | RpcRefusal> {
  const { store, slots, signal, requester } = deps;
  const audit = await store.db.audits.find(uuid);
  if (audit === null) return refuse('audit_not_found', new NotFoundError('Audit', uuid));
  const known = await store.db.auditVariants.find(audit.id);
  const variant = known?.variants.find((one) => one.budget === budget);
  if (known === null || variant === undefined) return refuse('invalid_input', noSuchPoint(known));
  const release = await slots.acquire(signal, requester);
  try {
    const guard = createOngoingGuard(audit);
    const computed = await compute(audit, known, variant.moves, guard, deps);
    if (computed.actions.length === 0) return refuse('strategy_failed', computed.report.emptyBecause ?? nothingLeft);
    return { action_plan_uuid: await storeVariant(audit, { known, computed, budget, guard }, deps) };
  } catch (error) {
    signal.throwIfAborted();
    deps.logger.info({ audit: uuid, budget, error }, 'cannot plan a point of the curve');
    const isConflict = error instanceof ActionPlanOngoingError || error instanceof CurveReplacedError;
    return isConflict ? refuse('conflict', error) : refuseBecause(error, 'strategy_failed');
  } finally {
    release();
  }
}

const nothingLeft = 'none of its migrations is still possible and useful';

function noSuchPoint(known: AuditVariants | null): string {
  if (known === null) return 'moves: the last run of the audit found no plans of several sizes';
  return `moves: the curve has points at ${known.variants.map(({ budget }) => budget).join(', ')}`;
}

async function compute(
  audit: AuditView,
  known: AuditVariants,
  moves: AuditVariants['variants'][number]['moves'],
  guard: OngoingGuard,
  deps: PreviewDeps,
): Promise<ComputedPlan> {
  const { db } = deps.store;
  await guard.check(db);
  const task = {
    ...(await readAuditContext(db, audit, deps)),
    goalName: audit.goalName,
    strategyName: known.strategy,
    parameters: known.parameters,
    scope: audit.scope,
    alertScope: known.alertScope,
    replan: moves.map(([instance, host]) => ({ instance, host })),
    onModel: async (...seen: Parameters<OngoingGuard['sees']>) => {
      guard.sees(...seen);
      await guard.check(db);
    },
  };
  return computePlan(task, deps.signal, deps);
}

function storeVariant(
  audit: AuditView,
  {
    known,
    computed,
    budget,
    guard,
  }: { known: AuditVariants; computed: ComputedPlan; budget: number; guard: OngoingGuard },
  { store, newUuid, options: { approvalRules } }: PreviewDeps,
): Promise<string> {
  return store.transaction(async (unit) => {
    // Runs of the audit and starts of its plans wait for each other at the same lock.
    await unit.lock(`audit-plans:${audit.uuid}`);
    await guard.check(unit);
    const now = await unit.auditVariants.find(audit.id);
    if (now?.modelTakenAt !== known.modelTakenAt) throw new CurveReplacedError(audit.uuid);
    const plan = await insertPlan(unit, audit, computed, { newUuid, approvalRules, budget });
    return plan.uuid;
  });
}

import type { ComputeSnapshot } from '#libs/cluster-model';
import type { AuditScope, AuditType, JsonObject } from '#libs/domain';
import {
  type AuditCompareRequest,
  type AuditCompareResponse,
  type AuditPreviewRequest,
  type AuditPreviewResponse,
  isRefusal,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import type { Semaphore } from '#libs/service-kit';
import type { Store } from '#libs/store';
import { type AuditContext, type Rests, readAuditContext } from '../audit-runner/audit-context.ts';
import { computePlan } from '../audit-runner/compute-plan.ts';
import type { ComputePlanDeps } from '../audit-runner/plan-task.ts';
import { freshSince } from '../model/fresh-enough.ts';

export interface PreviewDeps extends ComputePlanDeps, Rests {
  store: Store;
  /** Concurrent previews. They share the threads with audits, which must not starve. */
  slots: Semaphore;
  /** Party that takes turns with others at `slots`. Default: none. */
  requester?: string;
  /** Ends running computations when the process stops or the client no longer waits. */
  signal: AbortSignal;
}

/** Strategies in one comparison at most. */
const maxCompared = 10;

interface PreviewTask {
  goal: string;
  strategy: string | null;
  parameters: JsonObject;
  scope: AuditScope;
  /** See `PlanTask`. */
  atMs?: number;
  auditContext: AuditContext;
}

/** Returns `audit.preview`. Works on the same pieces as an audit, and stores nothing. */
export async function previewAudit(
  request: AuditPreviewRequest,
  deps: PreviewDeps,
): Promise<AuditPreviewResponse | RpcRefusal> {
  const task = { ...request, strategy: request.strategy ?? null };
  const refusal = checkNames(task, deps);
  if (refusal) return refusal;
  return deps.slots.run(
    async () => {
      const auditContext = await auditContextOf(request.audit_type, deps);
      const whole = await freshModel(auditContext.sinceChangeMs, deps);
      return isRefusal(whole) ? whole : preview({ ...task, auditContext }, whole, deps);
    },
    deps.signal,
    deps.requester,
  );
}

/**
 * Returns `audit.compare`. All strategies run sequentially on one model of the cloud and with one end of all windows.
 */
export async function compareAudits(
  { goal, strategies, scope }: AuditCompareRequest,
  deps: PreviewDeps,
): Promise<AuditCompareResponse | RpcRefusal> {
  if (strategies.length < 1 || strategies.length > maxCompared)
    return refuse('invalid_input', `strategies: between 1 and ${maxCompared} can be compared`);
  const unknownGoal = checkNames({ goal, strategy: null }, deps);
  if (unknownGoal) return unknownGoal;
  return deps.slots.run<AuditCompareResponse | RpcRefusal>(
    async () => {
      const auditContext = await auditContextOf(undefined, deps);
      const whole = await freshModel(auditContext.sinceChangeMs, deps);
      if (isRefusal(whole)) return whole;
      const results: AuditCompareResponse['results'] = [];
      const atMs = deps.clock.now();
      for (const { name, parameters } of strategies) {
        const task = { goal, strategy: name, parameters, scope, atMs, auditContext };
        const result = checkNames(task, deps) ?? (await preview(task, whole, deps));
        results.push(isRefusal(result) ? { strategy: name, ...result } : result);
      }
      return { results };
    },
    deps.signal,
    deps.requester,
  );
}

function auditContextOf(auditType: AuditType = 'ONESHOT', deps: PreviewDeps): Promise<AuditContext> {
  return readAuditContext(deps.store.db, { uuid: null, auditType }, deps);
}

function freshModel(sinceMs: number, { model, options, clock }: PreviewDeps): Promise<ComputeSnapshot | RpcRefusal> {
  return freshSince(model, { maxAgeMs: options.modelMaxAgeMs, sinceMs, clock }).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
}

function checkNames({ goal, strategy }: Pick<PreviewTask, 'goal' | 'strategy'>, { registry }: PreviewDeps) {
  if (!registry.goals().some(({ name }) => name === goal))
    return refuse('goal_not_found', `Goal ${goal} is not loaded in the decision engine`);
  if (strategy === null) return null;
  const found = registry.strategies().find(({ manifest }) => manifest.name === strategy);
  if (!found) return refuse('strategy_not_found', `Strategy ${strategy} is not loaded in the decision engine`);
  if (found.manifest.goal === goal) return null;
  return refuse('invalid_input', `strategy: ${strategy} serves goal ${found.manifest.goal}, not ${goal}`);
}

async function preview(
  { goal, strategy, parameters, scope, atMs, auditContext }: PreviewTask,
  whole: ComputeSnapshot,
  deps: PreviewDeps,
): Promise<AuditPreviewResponse | RpcRefusal> {
  const task = { goalName: goal, strategyName: strategy, parameters, scope, atMs, ...auditContext };
  try {
    const plan = await computePlan(task, deps.signal, deps, whole);
    return {
      strategy: plan.strategyName,
      parameters: plan.parameters,
      model_taken_at: new Date(plan.snapshot.takenAtMs).toISOString(),
      actions: plan.actions.map((action) => ({
        uuid: action.uuid,
        action_type: action.actionType,
        input_parameters: action.inputParameters,
        parents: action.parents,
        reason: action.reason,
      })),
      indicators: plan.indicators,
      global_efficacy: plan.globalEfficacy,
      report: plan.report,
      hosts: plan.hosts.hosts,
      unplaced: plan.hosts.unplaced,
      reserve: plan.hosts.reserve,
    };
  } catch (error) {
    deps.signal.throwIfAborted();
    deps.logger.info({ goal, strategy, error }, 'preview has no result');
    return refuseBecause(error, 'strategy_failed');
  }
}

import type { PlanHosts } from '#libs/domain';
import { isRefusal, type PlanHostsRequest, type RpcRefusal, refuse } from '#libs/messaging';
import type { Store } from '#libs/store';
import { hostsOfPlan, touchedHosts } from '../audit-runner/hosts-of-plan.ts';
import type { ComputePlanDeps } from '../audit-runner/plan-task.ts';
import { reserveOfPlan } from '../audit-runner/reserve-of-plan.ts';
import { timeSinceChange } from '../audit-runner/time-since-change.ts';
import { freshSince } from '../model/fresh-enough.ts';

export interface PlanHostsDeps extends Pick<ComputePlanDeps, 'model' | 'clock' | 'options'> {
  store: Store;
}

/** Returns `plan.hosts`. The model is as recent as that of an audit. */
export async function predictPlanHosts(
  { actions }: PlanHostsRequest,
  { store, model, clock, options }: PlanHostsDeps,
): Promise<PlanHosts | RpcRefusal> {
  const sinceMs = await timeSinceChange(store.db);
  const snapshot = await freshSince(model, { maxAgeMs: options.modelMaxAgeMs, sinceMs, clock }).catch(
    (error: unknown) => refuse('model_not_available', error),
  );
  if (isRefusal(snapshot)) return snapshot;
  const effects = actions.map((action) => ({
    actionType: action.action_type,
    inputParameters: action.input_parameters,
  }));
  return { ...touchedHosts(hostsOfPlan(snapshot, effects)), reserve: reserveOfPlan(snapshot, effects) };
}

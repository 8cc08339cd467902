import { type ComputeSnapshot, hostsInBoth } from '#libs/cluster-model';
import { packAndSpread } from '#libs/domain';
import type { AuditView } from '#libs/store';
import { freshSince } from '../model/fresh-enough.ts';
import { type MergedAudit, mergedParameters } from './merged-parameters.ts';
import type { ComputePlanDeps, PlanTask } from './plan-task.ts';

type Plugins = Pick<AuditView, 'goalName' | 'strategyName' | 'parameters'>;

const { goalName, strategyName } = packAndSpread;

/** A task with its aims, and notes on parameters that its search does not use. */
export interface MergedTask {
  task: PlanTask;
  /** The model that was read for it. */
  given?: ComputeSnapshot;
  notes: string[];
}

/**
 * The task of a run in the mode `merge`: with the aims and parameters of older audits that undo this one on the same
 * hosts, where both can be merged. Otherwise the same task.
 */
export async function mergeAims(
  audit: PlanTask,
  deps: Pick<ComputePlanDeps, 'options' | 'model' | 'clock' | 'registry'>,
  given?: ComputeSnapshot,
): Promise<MergedTask> {
  const { opposites } = audit;
  const older = opposites?.audits.filter(({ id, against }) => id < opposites.id && against === null) ?? [];
  if (deps.options.oppositeAudits !== 'merge' || older.length === 0) return { task: audit, given, notes: [] };
  const sinceMs = audit.sinceChangeMs ?? Number.POSITIVE_INFINITY;
  const age = { maxAgeMs: deps.options.modelMaxAgeMs, sinceMs, clock: deps.clock };
  const whole = given ?? (await freshSince(deps.model, age));
  const merged = older.filter(({ scope }) => hostsInBoth(whole, audit.scope, scope) > 0);
  if (merged.length === 0) return { task: audit, given: whole, notes: [] };
  const { parameters, notes } = mergedParameters(
    [labelled(audit), ...merged.map((other) => ({ ...other, label: `audit ${other.name}` }))],
    deps.registry,
  );
  return { task: { ...audit, goalName, strategyName, parameters }, given: whole, notes };
}

function labelled(audit: Plugins): MergedAudit {
  return { ...audit, label: 'this audit' };
}

/** Goal, strategy and parameters of a plan of an audit: its own, or those with merged aims. */
export function pluginsOfPlan(
  audit: AuditView,
  plan: { strategyName: string },
  registry: ComputePlanDeps['registry'],
): Plugins {
  const isMerged = plan.strategyName === strategyName && audit.strategyName !== strategyName;
  if (!isMerged || audit.goalName === goalName)
    return { goalName: audit.goalName, strategyName: plan.strategyName, parameters: audit.parameters };
  return { goalName, strategyName, parameters: mergedParameters([labelled(audit)], registry).parameters };
}

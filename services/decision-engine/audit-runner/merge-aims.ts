import { type ComputeSnapshot, hostsInBoth } from '#libs/cluster-model';
import { type JsonObject, packAndSpread } from '#libs/domain';
import type { AuditView } from '#libs/store';
import { freshSince } from '../model/fresh-enough.ts';
import type { ComputePlanDeps, PlanTask } from './plan-task.ts';

type Plugins = Pick<AuditView, 'goalName' | 'strategyName' | 'parameters'>;

function termsOf({ terms }: JsonObject): JsonObject {
  return typeof terms === 'object' && terms !== null && !Array.isArray(terms) ? terms : {};
}

/**
 * Goal, strategy and parameters with the aims of these audits. The weight of an aim is that of its term in the `terms`
 * of an audit that names it, otherwise `normal`. The search has the shortest `time_limit` of the audits.
 */
function mergedPlugins(audits: readonly { parameters: JsonObject }[]): Plugins {
  const { goalName, strategyName, parameters, terms } = packAndSpread;
  const given = audits.flatMap((audit) => Object.entries(termsOf(audit.parameters)));
  const weights = given.filter(([name]) => name === terms.pack || name === terms.spread);
  const budget = audits[0]?.parameters.migration_budget;
  const limits = audits.flatMap((audit) =>
    typeof audit.parameters.time_limit === 'number' ? audit.parameters.time_limit : [],
  );
  return {
    ...{ goalName, strategyName },
    parameters: {
      ...{ ...parameters, terms: Object.fromEntries(weights) },
      ...(budget === undefined ? {} : { migration_budget: budget }),
      ...(limits.length === 0 ? {} : { time_limit: Math.min(...limits) }),
    },
  };
}

/**
 * The task of a run in the mode `merge`: with the aims of older audits that undo this one on the same hosts, where both
 * can be merged. Otherwise the same task. Also returns the model that was read for it.
 */
export async function mergeAims(
  audit: PlanTask,
  deps: Pick<ComputePlanDeps, 'options' | 'model' | 'clock'>,
  given?: ComputeSnapshot,
): Promise<{ task: PlanTask; given?: ComputeSnapshot }> {
  const { opposites } = audit;
  const older = opposites?.audits.filter(({ id, against }) => id < opposites.id && against === null) ?? [];
  if (deps.options.oppositeAudits !== 'merge' || older.length === 0) return { task: audit, given };
  const sinceMs = audit.sinceChangeMs ?? Number.POSITIVE_INFINITY;
  const age = { maxAgeMs: deps.options.modelMaxAgeMs, sinceMs, clock: deps.clock };
  const whole = given ?? (await freshSince(deps.model, age));
  const merged = older.filter(({ scope }) => hostsInBoth(whole, audit.scope, scope) > 0);
  if (merged.length === 0) return { task: audit, given: whole };
  return { task: { ...audit, ...mergedPlugins([audit, ...merged]) }, given: whole };
}

/** Goal, strategy and parameters of a plan of an audit: its own, or those with merged aims. */
export function pluginsOfPlan(audit: AuditView, { strategyName }: { strategyName: string }): Plugins {
  const isMerged = strategyName === packAndSpread.strategyName && audit.strategyName !== strategyName;
  if (isMerged && audit.goalName !== packAndSpread.goalName) return mergedPlugins([audit]);
  return { goalName: audit.goalName, strategyName, parameters: audit.parameters };
}

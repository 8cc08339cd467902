import {
  type Action,
  type AutomationFacts,
  type AutomationRules,
  automationLevelOf,
  automationRefusals,
  defaultAutomationRules,
  freedHosts,
  type PlanHosts,
} from '#libs/domain';
import type { ActionPlanView, AuditView, UnitOfWork } from '#libs/store';

/** Numbers of a plan for the rules of automation, from its actions and its hosts before and after. */
export function automationFactsOf(
  known: Pick<PlanHosts, 'quantities' | 'reserve' | 'hosts'> | null,
  actions: readonly Pick<Action, 'actionType' | 'inputParameters'>[],
  revertible: AutomationFacts['revertible'],
): AutomationFacts {
  return {
    quantities: known?.quantities,
    reserve: known?.reserve,
    freedHosts: freedHosts(known?.hosts ?? [], actions),
    revertible,
  };
}

/**
 * Why the automation level of an audit prevents the start of a stored plan. Null when the plan may start. Call it for
 * levels that start plans.
 */
export async function automationRefusal(
  unit: Pick<UnitOfWork, 'actions' | 'actionDescriptions' | 'planHosts'>,
  plan: Pick<ActionPlanView, 'id' | 'uuid'>,
  audit: Pick<AuditView, 'automationLevel' | 'autoTrigger'>,
  rules: AutomationRules = defaultAutomationRules,
): Promise<string | null> {
  const level = automationLevelOf(audit);
  if (level < 2) return `its automation level is ${level}`;
  const rule = rules[level as 2 | 3];
  if (Object.keys(rule).length === 0) return null;
  const descriptions = await unit.actionDescriptions.list();
  const known = new Map(descriptions.map(({ actionType, revertible }) => [actionType, revertible]));
  const actions = await unit.actions.listByPlan(plan.uuid);
  const types = new Set(actions.map(({ actionType }) => actionType));
  const revertible = new Map([...types].map((type) => [type, known.get(type) ?? null]));
  const facts = automationFactsOf(await unit.planHosts.find(plan.id), actions, revertible);
  const refusals = automationRefusals(rule, facts);
  return refusals.length === 0 ? null : `level ${level}: ${refusals.join('; ')}`;
}

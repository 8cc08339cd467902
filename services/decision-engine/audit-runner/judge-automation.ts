import {
  type AutomationFacts,
  type AutomationRules,
  automationLevelOf,
  automationRefusals,
  defaultAutomationRules,
  type PlanHosts,
} from '#libs/domain';
import type { ActionPlanView, AuditView, UnitOfWork } from '#libs/store';

/** Numbers of a plan for the rules of automation, from its hosts before and after. */
export function automationFactsOf(
  known: Pick<PlanHosts, 'quantities' | 'reserve' | 'hosts'> | null,
  revertible: AutomationFacts['revertible'],
): AutomationFacts {
  const freed = (known?.hosts ?? []).filter(({ before, after }) => before.instances > 0 && after.instances === 0);
  return { quantities: known?.quantities, reserve: known?.reserve, freedHosts: freed.length, revertible };
}

/**
 * Why the automation level of an audit does not let a stored plan start. Null when it lets it. Call it for levels that
 * start plans.
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
  const types = (await unit.actions.listByPlan(plan.uuid)).map(({ actionType }) => actionType);
  const revertible = new Map([...new Set(types)].map((type) => [type, known.get(type) ?? null]));
  const refusals = automationRefusals(rule, automationFactsOf(await unit.planHosts.find(plan.id), revertible));
  return refusals.length === 0 ? null : `level ${level}: ${refusals.join('; ')}`;
}

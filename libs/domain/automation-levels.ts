import type { Revertibility } from './entities.ts';
import type { QuantityChange, ReserveChange } from './plan-hosts.ts';
import { isImprovement, isSideEffect } from './quantity-changes.ts';
import { counted, nearestHint } from './text.ts';

/**
 * Levels of automation of an audit: 0 only reports, 1 proposes, 2 starts plans without risk, 3 starts all plans within
 * the budgets.
 */
export const automationLevels = [0, 1, 2, 3] as const;
export type AutomationLevel = (typeof automationLevels)[number];

/** Limits for plans that start automatically. An absent limit does not hold. */
export interface AutomationRule {
  /** Least gain, unless enough hosts are freed: percentage points of the best quantity of hosts. */
  leastGainPoints?: number;
  /** Least number of hosts that become empty or are switched off. Freeing this many hosts is a gain too. */
  leastFreedHosts?: number;
  /** Highest share of a host, in percent, that a side effect may cause. */
  highestSharePercent?: number;
  /** Whether a failure domain may lose its reserve. Default true. */
  mayLoseReserve?: boolean;
  /** Whether it may have actions that cannot be undone. Default true. */
  mayBeIrreversible?: boolean;
}

/** The rules of the levels that start plans. */
export type AutomationRules = Readonly<Record<2 | 3, AutomationRule>>;

/** Values of a plan that automation rules check. */
export interface AutomationFacts {
  /** Undefined: not known. */
  quantities: readonly QuantityChange[] | undefined;
  reserve: readonly ReserveChange[] | undefined;
  freedHosts: number;
  /** How well each action type of the plan can be undone. Null: not known. */
  revertible: ReadonlyMap<string, Revertibility | null>;
}

const fields = {
  least_gain_points: ['leastGainPoints', 'number'],
  least_freed_hosts: ['leastFreedHosts', 'number'],
  highest_share_percent: ['highestSharePercent', 'number'],
  may_lose_reserve: ['mayLoseReserve', 'boolean'],
  may_be_irreversible: ['mayBeIrreversible', 'boolean'],
} as const;

const ruleSchema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(fields).map(([name, [, type]]) => [name, { type }])),
};

/** JSON schema of the rules of automation. */
export const automationRulesSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { 2: ruleSchema, 3: ruleSchema },
};

/** Level 2 without a rule in the configuration. Level 3 then has only the budgets as limits. */
const withoutRisk: AutomationRule = {
  leastGainPoints: 5,
  leastFreedHosts: 1,
  highestSharePercent: 90,
  mayLoseReserve: false,
  mayBeIrreversible: false,
};

/** The default rules. */
export const defaultAutomationRules: AutomationRules = { 2: withoutRisk, 3: {} };

/**
 * Reads the rules of levels 2 and 3 from JSON. A level that is absent has its default.
 * @throws Error with a reason that follows the name of a key, with the field and the nearest valid name
 */
export function parseAutomationRules(text: string): AutomationRules {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Error(`must be JSON, an object of levels: ${(error as Error).message}`, { cause: error });
  }
  const levels = objectOf(given, 'it');
  const unknown = Object.keys(levels).find((level) => level !== '2' && level !== '3');
  if (unknown !== undefined) throw new Error(`has rules for level "${unknown}"; only levels 2 and 3 start plans`);
  return {
    2: levels[2] === undefined ? withoutRisk : readRule(levels[2], 'level 2'),
    3: levels[3] === undefined ? {} : readRule(levels[3], 'level 3'),
  };
}

function objectOf(given: unknown, place: string): Record<string, unknown> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw new Error(`${place} must be an object`);
}

function readRule(given: unknown, place: string): AutomationRule {
  const entries = Object.entries(objectOf(given, place)).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
    if (field === undefined) {
      throw new Error(`${place} has no field "${name}"${nearestHint(name, Object.keys(fields))}`);
    }
    const [key, type] = field;
    const isValid = type === 'boolean' ? typeof value === 'boolean' : typeof value === 'number' && value >= 0;
    if (!isValid)
      throw new Error(`${place}: ${name} must be ${type === 'boolean' ? 'true or false' : 'a number from 0'}`);
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

/** The level of an audit. Watcher's `auto_trigger` alone is level 3, and its absence level 1. */
export function automationLevelOf(audit: { automationLevel: number | null; autoTrigger: boolean }): AutomationLevel {
  if (audit.autoTrigger) return audit.automationLevel === 2 ? 2 : 3;
  return audit.automationLevel === 0 ? 0 : 1;
}

/** The rule of an automation level as the configuration writes it. Empty for levels that start nothing. */
export function automationRuleBody(rules: AutomationRules, level: AutomationLevel): Record<string, number | boolean> {
  const rule: AutomationRule = level < 2 ? {} : rules[level as 2 | 3];
  const entries = Object.entries(fields).map(([name, [key]]) => [name, rule[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, number | boolean>;
}

/** Why a rule prevents the start of a plan: one text for each limit. Empty when the plan may start. */
export function automationRefusals(rule: AutomationRule, facts: AutomationFacts): string[] {
  const { quantities, reserve = [], freedHosts, revertible } = facts;
  const {
    leastGainPoints,
    leastFreedHosts,
    highestSharePercent,
    mayLoseReserve = true,
    mayBeIrreversible = true,
  } = rule;
  const needsQuantities = leastGainPoints !== undefined || highestSharePercent !== undefined;
  if (needsQuantities && quantities === undefined) return ['its effect on the hosts is not known'];
  const fuller = (quantities ?? []).filter(
    (change) => isSideEffect(change) && change.fullest.after > (highestSharePercent ?? Number.POSITIVE_INFINITY),
  );
  const lost = mayLoseReserve ? [] : reserve.filter(({ change }) => change === 'lost');
  const fixed = mayBeIrreversible ? [] : [...revertible].filter(([, how]) => how === null || how === 'impossible');
  return [
    ...gainRefusals(gainOf(quantities ?? []), freedHosts, { leastGainPoints, leastFreedHosts }),
    ...fuller.map(
      ({ quantity, fullest }) =>
        `raises ${quantity} of ${fullest.hostname} to ${Math.round(fullest.after)} %, limit ${highestSharePercent}`,
    ),
    ...lost.map(({ domain }) => `${domain} loses the reserve for the failure of a host`),
    ...fixed.map(([type, how]) => `actions of type ${type} ${how === null ? 'may not' : 'cannot'} be undone`),
  ];
}

/** The best improvement of a quantity in percentage points: of its fullest host, or of its evenness. */
function gainOf(quantities: readonly QuantityChange[]): number {
  const gains = quantities
    .filter(isImprovement)
    .map(({ deviation, highestBefore, fullest }) =>
      Math.max(highestBefore - fullest.after, deviation.before - deviation.after),
    );
  return Math.max(0, ...gains);
}

function gainRefusals(
  points: number,
  freed: number,
  { leastGainPoints: least, leastFreedHosts: leastFreed }: AutomationRule,
): string[] {
  if (least === undefined || points >= least) return [];
  if (leastFreed !== undefined && leastFreed > 0 && freed >= leastFreed) return [];
  const orFreed = leastFreed === undefined ? '' : ` or ${counted(leastFreed, 'freed host')}`;
  return [
    `gains ${Math.round(points * 10) / 10} points and frees ${counted(freed, 'host')}, least ${least} points${orFreed}`,
  ];
}

import { nearestHint } from './text.ts';
import { isWithinHours, parseHours, type WeeklyHours } from './weekly-hours.ts';

/** Size of a plan, as rules of approval limit it. */
export interface PlanSize {
  /** Number of instances and volumes that move. */
  migrations: number;
  /** GiB of memory and volumes to move. Null when it was not stored with the plan. */
  gib: number | null;
  /** Hosts that the plan uses or frees. */
  hosts: number;
}

/** Values of a plan that approval rules check. */
export interface JudgedPlanFacts {
  goal: string | null;
  strategy: string | null;
  size: PlanSize;
}

/** One rule of approval. It applies when all of its conditions hold. Without conditions it applies to every plan. */
export interface ApprovalRule {
  name: string;
  aboveMigrations?: number;
  /** An unknown number of GiB counts as more. */
  aboveGib?: number;
  aboveHosts?: number;
  goals?: readonly string[];
  strategies?: readonly string[];
  /** Hours of the week in which it applies. Default: always. */
  hours?: WeeklyHours;
}

const fields = ['name', 'above_migrations', 'above_gib', 'above_hosts', 'goals', 'strategies', 'hours', 'time_zone'];
const mostRules = 100;
const longestName = 100;

/** JSON schema of the rules of approval. */
export const approvalRulesSchema = {
  type: 'array',
  maxItems: mostRules,
  items: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1, maxLength: longestName },
      above_migrations: { type: 'integer', minimum: 0 },
      above_gib: { type: 'number', minimum: 0 },
      above_hosts: { type: 'integer', minimum: 0 },
      goals: { type: 'array', minItems: 1, items: { type: 'string' } },
      strategies: { type: 'array', minItems: 1, items: { type: 'string' } },
      hours: { type: 'string' },
      time_zone: { type: 'string' },
    },
  },
};

/**
 * Reads rules of approval from JSON: a list of objects with the fields of `approvalRulesSchema`. An empty text is an
 * empty list.
 * @throws Error with a reason that follows the name of a key, with rule, field and the nearest valid name
 */
export function parseApprovalRules(text: string): ApprovalRule[] {
  if (text.trim() === '') return [];
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Error(`must be JSON, a list of rules: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(given)) throw new Error('must be a list of rules, such as [{"name": "large", "above_hosts": 10}]');
  if (given.length > mostRules) throw new Error(`must have at most ${mostRules} rules`);
  const rules = given.map(readRule);
  const twice = rules.find(({ name }, at) => rules.findIndex((one) => one.name === name) !== at);
  if (twice) throw new Error(`has two rules with the name "${twice.name}"`);
  return rules;
}

function readRule(given: unknown, at: number): ApprovalRule {
  const place = `rule ${at + 1}`;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(`${place} must be an object`);
  const rule = given as Record<string, unknown>;
  for (const field of Object.keys(rule)) {
    if (fields.includes(field)) continue;
    throw new Error(`${place} has no field "${field}"${nearestHint(field, fields)}`);
  }
  const { name } = rule;
  if (typeof name !== 'string' || name === '' || name.length > longestName)
    throw new Error(`${place} needs a name of 1 to ${longestName} characters`);
  if (rule.time_zone !== undefined && rule.hours === undefined)
    throw new Error(`${place}: time_zone needs the field hours`);
  return {
    name,
    ...within(place, {
      aboveMigrations: limitOf(rule, 'above_migrations', true),
      aboveGib: limitOf(rule, 'above_gib', false),
      aboveHosts: limitOf(rule, 'above_hosts', true),
      goals: namesOf(rule, 'goals'),
      strategies: namesOf(rule, 'strategies'),
      hours: () => (rule.hours === undefined ? undefined : parseHours(rule.hours, rule.time_zone ?? 'UTC')),
    }),
  };
}

/** Evaluates the readers of fields. Absent fields are left out. */
function within(place: string, readers: Record<string, () => unknown>): Partial<ApprovalRule> {
  const entries = Object.entries(readers).map(([name, read]) => {
    try {
      return [name, read()] as const;
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
    }
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function limitOf(rule: Record<string, unknown>, field: string, whole: boolean) {
  return () => {
    const value = rule[field];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value >= 0 && (!whole || Number.isInteger(value))) return value;
    throw new Error(`${field} must be a ${whole ? 'whole ' : ''}number from 0, not ${JSON.stringify(value)}`);
  };
}

function namesOf(rule: Record<string, unknown>, field: string) {
  return () => {
    const value = rule[field];
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return value;
    throw new Error(`${field} must be a list of names`);
  };
}

/**
 * Why a plan needs an approval: one text for each rule that applies. Empty when no rule applies. @param nowMs
 * milliseconds since 1970, for the hours of rules
 */
export function approvalReasons(rules: readonly ApprovalRule[], plan: JudgedPlanFacts, nowMs: number): string[] {
  return rules.flatMap((rule) => {
    const conditions = conditionsOf(rule, plan, nowMs);
    if (conditions.some((condition) => condition === null)) return [];
    const texts = conditions.filter(Boolean);
    return [`rule ${rule.name}: ${texts.length === 0 ? 'every plan' : texts.join(', ')}`];
  });
}

/** The text of each condition of the rule. Null for a condition that does not hold. */
function conditionsOf(rule: ApprovalRule, { goal, strategy, size }: JudgedPlanFacts, nowMs: number) {
  const { aboveMigrations, aboveGib, aboveHosts, goals, strategies, hours } = rule;
  return [
    ...above(aboveMigrations, size.migrations, 'migrations'),
    ...above(aboveGib, size.gib, 'GiB to move'),
    ...above(aboveHosts, size.hosts, 'hosts'),
    ...(goals ? [goal !== null && goals.includes(goal) ? `goal ${goal}` : null] : []),
    ...(strategies ? [strategy !== null && strategies.includes(strategy) ? `strategy ${strategy}` : null] : []),
    ...(hours ? [isWithinHours(hours, nowMs) ? `in the hours ${hours.text}` : null] : []),
  ];
}

function above(limit: number | undefined, value: number | null, unit: string): (string | null)[] {
  if (limit === undefined) return [];
  if (value === null) return [`unknown ${unit}, allowed ${limit}`];
  return [value > limit ? `${Math.round(value * 10) / 10} ${unit}, allowed ${limit}` : null];
}

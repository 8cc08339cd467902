import type { FastifyRequest } from 'fastify';
import { InvalidInputError, nearestHint } from '#libs/domain';
import { ApiFault } from '../http/faults/fault.ts';
import type { CallerIdentity } from '../http/request/request-context.ts';
import { defaultRules } from './default-rules.ts';
import { type ParsedRule, parsePolicyRule } from './policy-rule.ts';

/** Decides whether a caller may perform the operation that a rule names, such as `audit:create`. */
export interface Policy {
  allows(rule: string, caller: CallerIdentity): boolean;
}

/**
 * Watcher's default rules with `overrides` by name, in oslo.policy's language.
 * @throws InvalidInputError naming the rule that is not in the language, is not one of Vigil's and used by none of
 * them, refers to a rule that does not exist, or to itself.
 */
export function createPolicy(overrides: Readonly<Record<string, string>> = {}): Policy {
  const parsed = new Map<string, ParsedRule>();
  for (const [rule, text] of Object.entries({ ...defaultRules, ...overrides })) {
    parsed.set(rule, parsePolicyRule(rule, text));
  }
  refuseUnknownRules(parsed, Object.keys(overrides));
  for (const rule of parsed.keys()) refuseBadReferences(parsed, rule, []);
  const allows = (rule: string, caller: CallerIdentity): boolean =>
    parsed.get(rule)?.check(caller, (name) => allows(name, caller)) ?? false;
  return { allows };
}

/** Rule that oslo.policy falls back to when a rule is missing. Vigil has none. */
const fallbackRule = 'default';

/** A misspelt rule would silently have no effect. */
function refuseUnknownRules(rules: ReadonlyMap<string, ParsedRule>, given: readonly string[]): void {
  const used = new Set([...rules.values()].flatMap(({ refersTo }) => refersTo));
  const known = Object.keys(defaultRules);
  const unknown = given.find((rule) => !Object.hasOwn(defaultRules, rule) && !used.has(rule) && rule !== fallbackRule);
  if (unknown === undefined) return;
  const hint = nearestHint(unknown, known);
  throw new InvalidInputError(unknown, `is unknown, and no other rule refers to it${hint}`);
}

function refuseBadReferences(rules: ReadonlyMap<string, ParsedRule>, rule: string, path: readonly string[]): void {
  const parsed = rules.get(rule);
  if (!parsed) throw new InvalidInputError(path.at(-1) ?? rule, `refers to the rule ${rule}, which does not exist`);
  if (path.includes(rule)) throw new InvalidInputError(rule, `refers to itself: ${[...path, rule].join(' -> ')}`);
  for (const name of parsed.refersTo) refuseBadReferences(rules, name, [...path, rule]);
}

/** @throws ApiFault 403 in Watcher's words when `rule` does not allow the caller. */
export function authorize(policy: Policy, request: FastifyRequest, rule: string): void {
  if (!policy.allows(rule, request.caller)) {
    throw new ApiFault(403, `Policy doesn't allow ${rule} to be performed.`);
  }
}

import { type JsonObject, type JsonValue, packAndSpread, sortedJson } from '#libs/domain';
import type { PluginRegistry } from '#libs/plugin-kit';

/** An audit whose aim is merged. */
export interface MergedAudit {
  /** In the words of notes, such as `this audit`. */
  label: string;
  goalName: string;
  /** Null: any strategy of the goal. */
  strategyName: string | null;
  /** As given, without defaults. */
  parameters: JsonObject;
}

/** Parameters of the merged search, and notes on parameters of the audits that it does not use. */
export interface MergedParameters {
  parameters: JsonObject;
  notes: string[];
}

type Rule = (values: JsonValue[]) => JsonValue;

const least: Rule = (values) => Math.min(...(values as number[]));
const most: Rule = (values) => Math.max(...(values as number[]));
/** 0 means no limit. */
const leastLimit: Rule = (values) => {
  const limits = (values as number[]).filter((value) => value > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
};
const first: Rule = ([value]) => value as JsonValue;
const firstOf =
  (...order: string[]): Rule =>
  (values) =>
    order.find((one) => values.includes(one)) ?? first(values);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The lowest limit of each resource. */
const leastByResource: Rule = (values) => {
  if (values.every((value) => typeof value === 'number')) return least(values);
  const limits: Record<string, number> = {};
  for (const value of values)
    for (const [resource, limit] of Object.entries(isObject(value) ? value : { cpu: value }))
      limits[resource] = Math.min(limits[resource] ?? Number.POSITIVE_INFINITY, Number(limit));
  return limits;
};
/** The weights of all terms. For the same term, the first one. */
const union: Rule = (values) => Object.assign({}, ...(values as JsonObject[]).toReversed()) as JsonObject;

/** The value that satisfies all audits, by parameter. For others, the audit that runs goes first. */
const rules: Readonly<Record<string, Rule>> = {
  max_moves: leastLimit,
  migration_budget: leastLimit,
  max_minutes: least,
  choose: firstOf('knee', 'budget'),
  effort: firstOf('few_moves', 'balanced', 'best'),
  min_gain: most,
  hot_limit: leastByResource,
  reserve_hosts: most,
  time_limit: least,
  terms: union,
  period: first,
  aggregation_method: first,
  minimum_coverage: most,
};

/** The number of hosts that may fail has this name in strategies that follow a rule. */
const alias = { failure_reserve: 'reserve_hosts' } as const;

function propertiesOf(schemas: readonly JsonObject[]): JsonObject {
  return Object.assign({}, ...schemas.map(({ properties }) => (isObject(properties) ? properties : {}))) as JsonObject;
}

function isEqual(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(sortedJson(one ?? null)) === JSON.stringify(sortedJson(other ?? null));
}

/** Facts for a comparison of schemas: neither texts nor the default. */
function meaningOf(schema: JsonObject): JsonObject {
  const { description: _text, 'x-texts': _texts, 'x-advanced': _advanced, default: _default, ...meaning } = schema;
  return meaning;
}

/** Whether schemas have the same meaning. A computed default, which a schema does not contain, equals every other. */
function hasSameMeaning(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (!isObject(one) || !isObject(other)) return isEqual(one, other);
  const isComputed = one.default === undefined || other.default === undefined;
  return isEqual(meaningOf(one), meaningOf(other)) && (isComputed || isEqual(one.default, other.default));
}

/** A parameter with a value of the audit, and its name in the merged search. Null: the search does not have it. */
interface Given {
  name: string;
  target: string | null;
  value: JsonValue;
}

function givenBy({ parameters }: MergedAudit, own: JsonObject, search: JsonObject): Given[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const schema = own[name];
    // The aim itself, which the merge replaces by both aims.
    if (Object.hasOwn(packAndSpread.parameters, name) || (isObject(schema) && isObject(schema['x-aims']))) return [];
    const target = name in alias ? alias[name as keyof typeof alias] : name;
    const isSame = target !== name || hasSameMeaning(schema, search[name]);
    const isKept = isSame && target in rules && search[target] !== undefined;
    if (!isKept && isObject(schema) && isEqual(schema.default, value)) return [];
    return [{ name, target: isKept ? target : null, value }];
  });
}

/**
 * Merges the parameters of audits for the search with both aims. Only given values count. Of several values, the
 * strictest one is used, or that of the first audit. A parameter is kept if its schema is that of the search.
 * @param audits the audit that runs first
 */
export function mergedParameters(
  audits: readonly MergedAudit[],
  registry: Pick<PluginRegistry, 'strategies'>,
): MergedParameters {
  const manifests = registry.strategies().map(({ manifest }) => manifest);
  const schemasOf = (goal: string, name: string | null) =>
    propertiesOf(
      manifests
        .filter((one) => (name === null ? one.goal === goal : one.name === name))
        .map(({ parameters }) => parameters),
    );
  const search = schemasOf(packAndSpread.goalName, packAndSpread.strategyName);
  const given = audits.map((audit) => givenBy(audit, schemasOf(audit.goalName, audit.strategyName), search));
  const kept: JsonObject = {};
  for (const [name, rule] of Object.entries(rules)) {
    const values = given.flat().flatMap(({ target, value }) => (target === name ? [value] : []));
    if (values.length > 0) kept[name] = rule(values);
  }
  const notes = given.flatMap((own, index) => {
    const dropped = own.filter(
      ({ target, value }) => target === null || (rules[target] === first && !isEqual(kept[target], value)),
    );
    if (dropped.length === 0) return [];
    return [
      `the plan with both aims does not use ${dropped.map(({ name }) => name).join(', ')} of ${audits[index]!.label}`,
    ];
  });
  return { parameters: { ...packAndSpread.parameters, ...kept }, notes };
}

import type { JsonObject, JsonValue } from './entities.ts';

/** How a strategy distributes load: `pack` onto few hosts, or `spread` over many hosts. The two undo each other. */
export const strategyAims = ['pack', 'spread'] as const;
export type StrategyAim = (typeof strategyAims)[number];

/** The aim that undoes another one. */
export const oppositeAim: Readonly<Record<StrategyAim, StrategyAim>> = { pack: 'spread', spread: 'pack' };

/** How audits with opposite aims on the same hosts are treated. */
export const oppositeAuditsModes = ['allow', 'refuse', 'merge'] as const;
export type OppositeAuditsMode = (typeof oppositeAuditsModes)[number];

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAim(value: JsonValue | undefined): value is StrategyAim {
  return strategyAims.some((aim) => aim === value);
}

/**
 * The aim that the schema of a strategy's parameters states: `x-aims` of a parameter has one for each of its values,
 * `x-aim` of the schema holds for all others. Null where it states none.
 * @param parameters missing ones have their default
 */
export function aimOf(schema: JsonObject, parameters: JsonObject): StrategyAim | null {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property) || !isObject(property['x-aims'])) continue;
    const aim = property['x-aims'][String(parameters[name] ?? property.default)];
    if (isAim(aim)) return aim;
  }
  return isAim(schema['x-aim']) ? schema['x-aim'] : null;
}

/**
 * Whether the aim of a strategy can be merged with the opposite aim (`x-merges` of its schema). The search by
 * `packAndSpread` then computes the plans instead.
 */
export function mergesAims(schema: JsonObject): boolean {
  return schema['x-merges'] === true;
}

/** Strategy and parameters by which audits with opposite aims are merged. */
export const packAndSpread = {
  goalName: 'placement_optimization',
  strategyName: 'placement_optimizer',
  parameters: { both_aims: true },
  /** Name of the term of each aim, whose weight is in the parameter `terms`. */
  terms: { pack: 'hosts_in_use', spread: 'near_limit' } satisfies Record<StrategyAim, string>,
} as const;

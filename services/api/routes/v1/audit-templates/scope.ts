import type { AuditScope, JsonObject, JsonValue } from '#libs/domain';
import { type ApiFault, BadInputFault, badRequest } from '../../../http/faults/fault.ts';
import { isJsonObject } from '../../../http/watcher-text/json-body.ts';
import { schemaViolation } from '../../../parameters/schema-violation.ts';

const closed = (properties: JsonObject): JsonObject => ({ type: 'object', properties, additionalProperties: false });
const listOf = (items: JsonValue): JsonObject => ({ type: 'array', items });
const named = listOf(closed({ name: { type: 'string' } }));
const withUuid = listOf(closed({ uuid: { type: 'string' } }));
const aggregates = listOf({
  anyOf: [closed({ id: { oneOf: [{ type: 'integer' }, { enum: ['*'] }] } }), closed({ name: { type: 'string' } })],
});

/** Keys of one entry of a scope. No key is required. */
export const scopeRule: JsonObject = closed({
  compute: listOf(
    closed({
      host_aggregates: aggregates,
      availability_zones: named,
      exclude: listOf(
        closed({
          instances: withUuid,
          compute_nodes: named,
          host_aggregates: aggregates,
          instance_metadata: listOf({ type: 'object' }),
          projects: withUuid,
        }),
      ),
    }),
  ),
  storage: listOf(
    closed({
      availability_zones: named,
      volume_types: named,
      exclude: listOf({
        type: 'object',
        properties: { storage_pools: named, volumes: withUuid, projects: withUuid },
      }),
    }),
  ),
});

const scopeSchema = listOf(scopeRule);

interface ScopeFaults {
  /** Text of the refusal of host aggregates that are both included and excluded. Default status 400. */
  refuse?: (text: string) => ApiFault;
  /** Makes the fault of a violation of the schema. Default 400. */
  violation?: (text: string) => ApiFault;
}

/**
 * Checks a scope and converts the old form (a bare list of compute rules) into the current one.
 * @throws ApiFault with the violation of the schema, or of the rules, and 400 for `[{}]`.
 */
export function checkScope(
  scope: JsonValue[] | null,
  { refuse = badRequest, violation = badRequest }: ScopeFaults = {},
): AuditScope {
  if (scope === null || scope.length === 0) return [];
  const first = scope[0];
  if (isJsonObject(first) && Object.keys(first).length === 0) throw badRequest('The first rule of the scope is empty');
  const present = isOldForm(first) ? [{ compute: scope }] : scope;
  const broken = schemaViolation(scopeSchema, present, { useDefaults: false });
  if (broken !== null) throw violation(broken);
  if (isContradictory(present as AuditScope)) throw refuse("host_aggregates can't be included and excluded together");
  return present as AuditScope;
}

/** Watcher's status of a scope that breaks the schema, for POST. */
export function scopeViolationOfPost(text: string): ApiFault {
  return new BadInputFault(text);
}

function isOldForm(first: JsonValue | undefined): boolean {
  if (!isJsonObject(first)) return false;
  const [key] = Object.keys(first);
  return key !== 'compute' && key !== 'storage';
}

function isContradictory(scope: AuditScope): boolean {
  const rules = scope.flatMap((model) => (Array.isArray(model.compute) ? model.compute : [])).filter(isJsonObject);
  const included = rules.some((rule) => Object.hasOwn(rule, 'host_aggregates'));
  const excluded = rules
    .flatMap((rule) => (Array.isArray(rule.exclude) ? rule.exclude : []))
    .some((rule) => isJsonObject(rule) && Object.hasOwn(rule, 'host_aggregates'));
  return included && excluded;
}

import { InvalidInputError, type JsonObject, type JsonValue } from '#libs/domain';
import type { GoalPlugin } from './goal.ts';
import { compileDraft4, faultsOf, fieldPath, type SchemaFault } from './json-schema.ts';

/**
 * Checks audit parameters against a strategy's schema (JSON Schema draft 4) the way Watcher does. Fills in every
 * default of a `properties` map, also in nested objects of the input. Refuses a property that the schema does not name,
 * regardless of `additionalProperties`. Never coerces values. Returns a new object.
 * @throws InvalidInputError with the first culprit as its field and all of them in its text
 */
export function validateParameters(schema: JsonObject, given: JsonObject | null | undefined): JsonObject {
  const parameters = structuredClone(given ?? {});
  const unknown = unknownProperties(schema, parameters, []);
  const validate = compileDraft4(schema, { useDefaults: true });
  validate(parameters);
  const unknownFields = new Set(unknown.map((fault) => fault.field));
  const others = faultsOf(validate.errors).filter((fault) => !unknownFields.has(fault.field));
  refuse([...unknown, ...others]);
  return parameters;
}

function refuse(faults: SchemaFault[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  const rest = others.map((fault) => `; ${fault.field || 'parameters'}: ${fault.reason}`).join('');
  throw new InvalidInputError(first.field || 'parameters', `${first.reason}${rest}`);
}

function unknownProperties(schema: JsonValue | undefined, value: JsonValue, path: (string | number)[]): SchemaFault[] {
  if (!isObject(schema)) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownItem(schema.items, item, index, path));
  if (!isObject(value) || (path.length > 0 && !isObject(schema.properties))) return [];
  const known = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name];
    if (Object.hasOwn(known, name)) return unknownProperties(known[name], inner, here);
    if (patterns.some((pattern) => new RegExp(pattern, 'u').test(name))) return [];
    return [{ field: fieldPath(here), reason: 'is not a parameter of this strategy' }];
  });
}

function unknownItem(items: JsonValue | undefined, item: JsonValue, index: number, path: (string | number)[]) {
  return unknownProperties(Array.isArray(items) ? items[index] : items, item, [...path, index]);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks the efficacy indicators that a strategy reports against its goal: required ones there, none unknown, each
 * valid for its schema. Throws InvalidInputError that names the indicator.
 */
export function validateIndicators(goal: GoalPlugin, values: Record<string, number>): void {
  const faults: SchemaFault[] = [];
  const known = new Map(goal.indicators.map((indicator) => [indicator.name, indicator]));
  for (const name of Object.keys(values)) {
    if (!known.has(name)) faults.push({ field: name, reason: `is not an indicator of goal ${goal.name}` });
  }
  for (const indicator of goal.indicators) {
    const value = values[indicator.name];
    if (value === undefined) {
      if (indicator.required) faults.push({ field: indicator.name, reason: `goal ${goal.name} requires it` });
    } else if (!Number.isFinite(value)) {
      faults.push({ field: indicator.name, reason: `${value} is not a finite number` });
    } else {
      const validate = compileDraft4(indicator.schema);
      if (!validate(value)) {
        faults.push(...faultsOf(validate.errors).map(({ reason }) => ({ field: indicator.name, reason })));
      }
    }
  }
  refuse(faults);
}

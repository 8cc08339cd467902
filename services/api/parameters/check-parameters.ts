import type { JsonObject, JsonValue } from '#libs/domain';
import { badRequest, invalidField } from '../http/faults/fault.ts';
import { isJsonObject } from '../http/watcher-text/json-body.ts';
import { schemaViolation } from './schema-violation.ts';

/** Bytes of JSON, as a column of Watcher in MariaDB holds. */
const maxBytes = 65_535;

/**
 * Checks the parameters of an audit against the strategy's schema. Null parameters are stored empty, and the strategy
 * applies its defaults at run time. A strategy with required parameters refuses them.
 * @returns a copy with every default filled in, at each level where the parameters have an object.
 * @throws ApiFault 400 with Watcher's text, and for more than 65,535 bytes.
 */
export function checkAuditParameters(parameters: JsonObject | null, spec: JsonObject | null): JsonObject {
  if (parameters === null) return checkNoParameters(spec);
  refuseLarge('parameters', parameters);
  if (spec === null || Object.keys(spec).length === 0) {
    if (Object.keys(parameters).length === 0) return {};
    throw badRequest(
      'Specify parameters but no predefined strategy for audit, or no parameter spec in predefined strategy',
    );
  }
  const filled = structuredClone(parameters);
  const violation = schemaViolation(spec, filled, { useDefaults: true });
  if (violation !== null) throw badRequest(`Invalid parameters for strategy: ${violation}`);
  refuseUnknownParameters(filled, spec);
  return filled;
}

function checkNoParameters(spec: JsonObject | null): JsonObject {
  if (!Array.isArray(spec?.required) || spec.required.length === 0) return {};
  const violation = schemaViolation({ type: 'object', ...spec }, null, { useDefaults: false });
  throw badRequest(`Invalid parameters for strategy: ${violation}`);
}

/**
 * Checks the default parameters of a template: each must be acceptable, but required ones may be left to the audit.
 * Defaults are not filled in.
 * @throws ApiFault 400 in Watcher's words.
 */
export function checkDefaultParameters(parameters: JsonObject, spec: JsonObject | null): void {
  if (Object.keys(parameters).length === 0) return;
  refuseLarge('default_parameters', parameters);
  if (spec === null) throw badRequest('default_parameters requires a strategy to be specified');
  if (Object.keys(spec).length === 0) return;
  const { required: _required, ...optional } = spec;
  const violation = schemaViolation(optional, structuredClone(parameters), { useDefaults: false });
  if (violation !== null) throw badRequest(`Invalid default_parameters for strategy: ${violation}`);
  refuseUnknownParameters(parameters, optional);
}

function refuseLarge(field: string, parameters: JsonObject): void {
  if (Buffer.byteLength(JSON.stringify(parameters)) > maxBytes)
    throw invalidField(field, parameters, `At most ${maxBytes} bytes of JSON.`);
}

/**
 * Refuses keys that a schema does not name, at every level, also with `additionalProperties: true`. A level with empty
 * or missing `properties` accepts any key.
 */
function refuseUnknownParameters(value: JsonValue | undefined, schema: JsonValue | undefined): void {
  if (!isJsonObject(schema)) return;
  if (Array.isArray(value)) {
    for (const item of value) refuseUnknownParameters(item, schema.items);
    return;
  }
  const { properties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties) || Object.keys(properties).length === 0) return;
  for (const [name, entry] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) throw badRequest(`Audit parameter ${name} are not allowed`);
    refuseUnknownParameters(entry, properties[name]);
  }
}

import { type JsonObject, messageOf, OperatorError } from '#libs/domain';
import { dataSourceNames } from '#libs/history';
import { compileDraft4, compileManifestSchema, faultsOf } from './json-schema.ts';
import { type PluginKind, pluginKinds, type VigilPlugin } from './plugin.ts';
import { pluginMethods, pluginSchemas } from './plugin-schemas.ts';

/**
 * Checks that a value is a usable plugin, regardless of its module. Throws OperatorError in one line: origin, plugin,
 * field and reason.
 */
export function checkPlugin(value: unknown, origin: string): VigilPlugin {
  if (!isRecord(value)) throw new OperatorError(`${origin}: a plugin must be an object, not ${describe(value)}`);
  const described = isRecord(value.manifest) ? value.manifest : value;
  const kind = pluginKinds.find((known) => known === described.kind);
  const who = `${origin}: plugin ${typeof described.name === 'string' ? described.name : 'without a name'}`;
  if (kind === undefined || (kind === 'strategy') !== (described !== value))
    throw wrongKind(who, described.kind, value);
  checkData(kind, described, who);
  for (const method of pluginMethods[kind]) {
    if (typeof value[method] !== 'function') throw new OperatorError(`${who}: ${method} must be a function`);
  }
  checkSchemas(kind, described, who);
  return value as unknown as VigilPlugin;
}

function wrongKind(who: string, kind: unknown, value: Record<string, unknown>): OperatorError {
  if (kind === 'strategy') return new OperatorError(`${who}: a strategy must have its description in "manifest"`);
  const field = isRecord(value.manifest) ? 'manifest.kind' : 'kind';
  const wanted = isRecord(value.manifest) ? '"strategy"' : `one of ${pluginKinds.join(', ')}`;
  return new OperatorError(`${who}: ${field} must be ${wanted}, not ${describe(kind)}`);
}

function checkData(kind: PluginKind, described: Record<string, unknown>, who: string): void {
  const validate = compileManifestSchema(pluginSchemas[kind]);
  if (validate(described)) return;
  const prefix = kind === 'strategy' ? 'manifest' : '';
  const faults = faultsOf(validate.errors).map(({ field, reason }) => {
    const path = [prefix, field].filter((part) => part !== '').join('.');
    return `${path} ${reason}`;
  });
  throw new OperatorError(`${who}: ${faults.join('; ')}`);
}

function checkSchemas(kind: PluginKind, described: Record<string, unknown>, who: string): void {
  if (kind === 'strategy') checkParameters(described.parameters as JsonObject, who);
  if (kind === 'data_source') refuseBuiltInSource(described.name as string, who);
  if (kind === 'action') checkCompiles(described.schema as JsonObject, `${who}: schema`);
  if (kind === 'goal') {
    for (const indicator of described.indicators as { name: string; schema: JsonObject }[]) {
      checkCompiles(indicator.schema, `${who}: schema of indicator ${indicator.name}`);
    }
  }
}

function refuseBuiltInSource(name: string, who: string): void {
  if (!(dataSourceNames as readonly string[]).includes(name)) return;
  throw new OperatorError(`${who}: ${name} is the name of a built-in data source; choose another one`);
}

/** The schema compiles, and every default in it is valid. A parameter may have none: Watcher has optional ones. */
function checkParameters(schema: JsonObject, who: string): void {
  checkCompiles(schema, `${who}: manifest.parameters`);
  for (const [name, property] of Object.entries(schema.properties as JsonObject)) {
    const where = `${who}: manifest.parameters.properties.${name}`;
    if (!isRecord(property)) throw new OperatorError(`${where} must be a schema`);
    if (property.default === undefined) continue;
    const validate = compileDraft4(property as JsonObject);
    if (validate(property.default)) continue;
    const [fault] = faultsOf(validate.errors);
    throw new OperatorError(`${where}: the default ${describe(property.default)} is not valid: it ${fault?.reason}`);
  }
}

function checkCompiles(schema: JsonObject, where: string): void {
  try {
    compileDraft4(schema);
  } catch (error) {
    throw new OperatorError(`${where} is not a JSON Schema of draft 4: ${messageOf(error)}`, { cause: error });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
}

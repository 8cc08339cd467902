import { InvalidInputError, type JsonObject } from '#libs/domain';
import { type PluginRegistry, validateParameters } from '#libs/plugin-kit';

/**
 * Seconds over which a strategy averages metrics, from its parameters `period` or `periods`. 0 without them. Used when
 * no measurement shows the length of the window.
 */
export function strategyWindowSeconds(
  registry: PluginRegistry,
  strategyName: string | null,
  parameters: JsonObject,
): number {
  const strategy = registry.strategies().find(({ manifest }) => manifest.name === strategyName);
  if (!strategy) return 0;
  const { period, periods } = filledIn(strategy.manifest.parameters, parameters);
  const lengths = [period, ...(typeof periods === 'object' && periods !== null ? Object.values(periods) : [])];
  return Math.max(0, ...lengths.filter((length) => typeof length === 'number'));
}

function filledIn(schema: JsonObject, parameters: JsonObject): JsonObject {
  try {
    return validateParameters(schema, parameters);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    // The schema of a plugin may have changed since the audit was created. Then the parameters are used unchanged.
    return parameters;
  }
}

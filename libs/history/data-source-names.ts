import { ConfigurationError } from '#libs/domain';

/** Names of data sources in `VIGIL_DATASOURCES` and in the metric map. */
export const dataSourceNames = ['gnocchi', 'aetos', 'prometheus', 'influxdb', 'postgres'] as const;
export type DataSourceName = (typeof dataSourceNames)[number];
/** Sources that are used without `VIGIL_DATASOURCES` when they have a URL, in their order. */
export const defaultDataSources = ['influxdb', 'prometheus', 'gnocchi'] as const satisfies DataSourceName[];

/** Names that an order may have in addition to the built-in sources. */
export interface ForeignNames {
  /** Sources of plugins. */
  names: readonly string[];
  /** Whether an unknown name may be a plugin that is not loaded here. */
  others: boolean;
}

const noForeign: ForeignNames = { names: [], others: false };

/**
 * Checks an order of sources. @throws ConfigurationError when a source is unknown or repeated, or when it has both
 * Prometheus and Aetos, which return the same data
 */
export function parseDataSources(names: readonly string[], setting: string, foreign = noForeign): string[] {
  const known: readonly string[] = [...dataSourceNames, ...foreign.names];
  for (const name of names) {
    if (known.includes(name) || foreign.others) continue;
    throw new ConfigurationError([`${setting}: unknown data source ${name}; known data sources: ${known.join(', ')}`]);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ConfigurationError([`${setting}: ${twice} is repeated`]);
  if (names.includes('prometheus') && names.includes('aetos')) {
    throw new ConfigurationError([`${setting}: prometheus and aetos cannot be used together; choose one`]);
  }
  return [...names];
}

/** Reads `name=source|source` entries: the order of sources of single strategies. @throws ConfigurationError */
export function parseStrategyDataSources(
  entries: readonly string[],
  setting: string,
  foreign = noForeign,
): ReadonlyMap<string, string[]> {
  const orders = new Map<string, string[]>();
  for (const entry of entries) {
    const [strategy = '', list, ...rest] = entry.split('=').map((part) => part.trim());
    if (strategy === '' || !list || rest.length > 0) {
      throw new ConfigurationError([`${setting}: "${entry}" must have the form strategy=source|source`]);
    }
    if (orders.has(strategy)) throw new ConfigurationError([`${setting}: ${strategy} is repeated`]);
    const names = list.split('|').map((name) => name.trim());
    orders.set(strategy, parseDataSources(names, `${setting}, ${strategy}`, foreign));
  }
  return orders;
}

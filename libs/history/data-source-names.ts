import { ConfigurationError } from '#libs/domain';

/** Sources of metrics by the name that `VIGIL_DATASOURCES` and the metric map use. */
export const dataSourceNames = ['gnocchi', 'aetos', 'prometheus', 'influxdb', 'postgres'] as const;
export type DataSourceName = (typeof dataSourceNames)[number];
/** Sources that are used without `VIGIL_DATASOURCES` when they have a URL, in their order. */
export const defaultDataSources = ['influxdb', 'prometheus', 'gnocchi'] as const satisfies DataSourceName[];

/** Names of sources that an order may have in addition to the built-in ones. */
export interface ForeignNames {
  /** Those that plugins brought. */
  names: readonly string[];
  /** Whether any other name may be that of a plugin that is not here. */
  others: boolean;
}

const noForeign: ForeignNames = { names: [], others: false };

/**
 * Checks an order of sources. Throws ConfigurationError when one is unknown or given twice, or when there are both
 * Prometheus and Aetos, which are the same data.
 */
export function parseDataSources(names: readonly string[], setting: string, foreign = noForeign): string[] {
  const known: readonly string[] = [...dataSourceNames, ...foreign.names];
  for (const name of names) {
    if (known.includes(name) || foreign.others) continue;
    throw new ConfigurationError([`${setting}: there is no data source ${name}; known are ${known.join(', ')}`]);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ConfigurationError([`${setting}: ${twice} is given twice`]);
  if (names.includes('prometheus') && names.includes('aetos')) {
    throw new ConfigurationError([`${setting}: prometheus and aetos cannot be used together; choose one`]);
  }
  return [...names];
}

/** Reads `name=source|source` entries: the order of sources of single strategies. Throws ConfigurationError. */
export function parseStrategyDataSources(
  entries: readonly string[],
  setting: string,
  foreign = noForeign,
): ReadonlyMap<string, string[]> {
  const orders = new Map<string, string[]>();
  for (const entry of entries) {
    const [strategy = '', list, ...rest] = entry.split('=').map((part) => part.trim());
    if (strategy === '' || !list || rest.length > 0) {
      throw new ConfigurationError([`${setting}: "${entry}" is not of the form strategy=source|source`]);
    }
    if (orders.has(strategy)) throw new ConfigurationError([`${setting}: ${strategy} is given twice`]);
    const names = list.split('|').map((name) => name.trim());
    orders.set(strategy, parseDataSources(names, `${setting}, ${strategy}`, foreign));
  }
  return orders;
}

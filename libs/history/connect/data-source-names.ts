import { OperatorError } from '#libs/domain';

/** Sources of metrics by the name that `VIGIL_DATASOURCES` and the metric map use. */
export const dataSourceNames = ['gnocchi', 'aetos', 'prometheus', 'influxdb', 'postgres'] as const;
export type DataSourceName = (typeof dataSourceNames)[number];

/**
 * Checks an order of sources. Throws OperatorError when one is unknown or given twice, or when there are both Prometheus and
 * Aetos, which are the same data.
 */
export function parseDataSources(names: readonly string[], setting: string): DataSourceName[] {
  const known = names.map((name) => {
    const found = dataSourceNames.find((candidate) => candidate === name);
    if (found !== undefined) return found;
    throw new OperatorError(`${setting}: there is no data source ${name}; known are ${dataSourceNames.join(', ')}`);
  });
  const twice = known.find((name, index) => known.indexOf(name) !== index);
  if (twice !== undefined) throw new OperatorError(`${setting}: ${twice} is given twice`);
  if (known.includes('prometheus') && known.includes('aetos')) {
    throw new OperatorError(`${setting}: prometheus and aetos can not be used together; choose one`);
  }
  return known;
}

/** Reads `name=source|source` entries: the order of sources of single strategies. Throws OperatorError. */
export function parseStrategyDataSources(
  entries: readonly string[],
  setting: string,
): ReadonlyMap<string, DataSourceName[]> {
  const orders = new Map<string, DataSourceName[]>();
  for (const entry of entries) {
    const [strategy = '', list, ...rest] = entry.split('=').map((part) => part.trim());
    if (strategy === '' || !list || rest.length > 0) {
      throw new OperatorError(`${setting}: "${entry}" is not of the form strategy=source|source`);
    }
    if (orders.has(strategy)) throw new OperatorError(`${setting}: ${strategy} is given twice`);
    const names = list.split('|').map((name) => name.trim());
    orders.set(strategy, parseDataSources(names, `${setting}, ${strategy}`));
  }
  return orders;
}

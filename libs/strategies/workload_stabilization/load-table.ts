/** Hosts by descending pressure, kept sorted. */
interface PressureOrder {
  /** Sorts again after pressures changed. Ties are ordered by row. */
  refresh(pressure: Float64Array): readonly number[];
}

/** One balanced metric of a load table. */
export interface LoadMetric {
  name: string;
  /** Weight of its deviation in the total. */
  weight: number;
  /** Load of each host as a fraction of its size (may exceed 1). NaN for an excluded host. */
  hostLoad: Float64Array;
  /** Size of each host in the unit of `use`. */
  hostSize: Float64Array;
  /** Use of each instance. NaN when unknown. */
  use: Float64Array;
}

/**
 * Loads of hosts with their population standard deviation, updated by running sums. Evaluating or making a move costs
 * O(1) per metric, for any number of hosts.
 */
export interface LoadTable {
  /** Rows of the hosts that have a load in every metric. */
  readonly hosts: readonly number[];
  deviation(metric: number): number;
  /** Σ weight × deviation. */
  weighted(): number;
  /**
   * The weighted deviation if the instance moved between the hosts, and `back` (−1: none) in the opposite direction.
   */
  weightedAfter(instance: number, from: number, to: number, back?: number): number;
  /** The same for many destinations of one instance, without one in the opposite direction. */
  weightedAfterLeaving(instance: number, from: number): (to: number) => number;
  /** Lower bound of that for all of these destinations. Valid until the next move. */
  leastAfterLeaving(destinations: readonly number[]): (instance: number, from: number) => number;
  move(instance: number, from: number, to: number): void;
  load(metric: number, host: number): number;
  /** Mean load of the hosts. */
  mean(metric: number): number;
  /** Distance of a host above (or below) the mean, in deviations, weighted over the metrics. */
  pressure(host: number): number;
  /** Hosts by descending pressure (ties by row). Valid until the next move. */
  byPressure(): readonly number[];
}

interface Column {
  weight: number;
  load: Float64Array;
  size: Float64Array;
  use: Float64Array;
  sum: number;
  squares: number;
}

function spread(sum: number, squares: number, count: number): number {
  const mean = sum / count;
  return Math.sqrt(Math.max(0, squares / count - mean * mean));
}

/** Deviations after a move to any of many destinations, with the parts that the destinations share. */
function createDepartures(
  columns: readonly Column[],
  count: number,
): Pick<LoadTable, 'weightedAfterLeaving' | 'leastAfterLeaving'> {
  const single = columns.length === 1 ? columns[0] : undefined;

  /** The sums have the order of `columnAfter`, so that the results are equal. */
  function columnAfterLeaving(column: Column, instance: number, from: number): (size: number, load: number) => number {
    const { squares, weight } = column;
    const use = column.use[instance] as number;
    const leaves = use / (column.size[from] as number);
    const lost = leaves * (leaves - 2 * (column.load[from] as number));
    const left = column.sum - leaves;
    return (size, load) => {
      const arrives = use / size;
      const change = lost + arrives * (arrives + 2 * load);
      return weight * spread(left + arrives, squares + change, count);
    };
  }

  /** For each combination of sizes, the least load of the hosts in each metric. */
  function leastLoads(destinations: readonly number[]): { sizes: number[]; loads: number[] }[] {
    const groups = new Map<string, { sizes: number[]; loads: number[] }>();
    for (const host of destinations) {
      const sizes = columns.map(({ size }) => size[host] as number);
      const loads = columns.map(({ load }) => load[host] as number);
      const key = sizes.join('/');
      const known = groups.get(key)?.loads ?? loads;
      groups.set(key, { sizes, loads: loads.map((load, metric) => Math.min(load, known[metric] as number)) });
    }
    return [...groups.values()];
  }

  return {
    weightedAfterLeaving(instance, from) {
      const parts = columns.map((column) => columnAfterLeaving(column, instance, from));
      const [first] = parts;
      if (single !== undefined && first !== undefined)
        return (to) => first(single.size[to] as number, single.load[to] as number);
      return (to) =>
        parts.reduce((total, part, metric) => {
          const { size, load } = columns[metric] as Column;
          return total + part(size[to] as number, load[to] as number);
        }, 0);
    },
    leastAfterLeaving(destinations) {
      const groups = leastLoads(destinations);
      return (instance, from) => {
        // The deviation rises with the load of the destination only if the instance adds load there.
        if (columns.some(({ use }) => !((use[instance] as number) >= 0))) return Number.NEGATIVE_INFINITY;
        const parts = columns.map((column) => columnAfterLeaving(column, instance, from));
        let least = Number.POSITIVE_INFINITY;
        for (const { sizes, loads } of groups) {
          let total = 0;
          for (const [metric, part] of parts.entries()) total += part(sizes[metric] as number, loads[metric] as number);
          least = Math.min(least, total);
        }
        return least;
      };
    },
  };
}

/** Creates the table. Hosts without a load in some metric, or with unknown size, are excluded. */
export function createLoadTable(metrics: LoadMetric[], candidates: readonly number[]): LoadTable {
  const hosts = candidates.filter((host) =>
    metrics.every(({ hostLoad, hostSize }) => Number.isFinite(hostLoad[host]) && (hostSize[host] as number) > 0),
  );
  const count = Math.max(1, hosts.length);
  const columns = metrics.map((metric): Column => {
    const load = metric.hostLoad.slice();
    let sum = 0;
    let squares = 0;
    for (const host of hosts) {
      sum += load[host] as number;
      squares += (load[host] as number) ** 2;
    }
    return { weight: metric.weight, load, size: metric.hostSize, use: metric.use, sum, squares };
  });
  const single = columns.length === 1 ? columns[0] : undefined;

  function columnAfter(column: Column, instance: number, from: number, to: number, back: number): number {
    const use = (column.use[instance] as number) - (back < 0 ? 0 : (column.use[back] as number));
    const leaves = use / (column.size[from] as number);
    const arrives = use / (column.size[to] as number);
    const change =
      leaves * (leaves - 2 * (column.load[from] as number)) + arrives * (arrives + 2 * (column.load[to] as number));
    return column.weight * spread(column.sum - leaves + arrives, column.squares + change, count);
  }

  function moveColumn(column: Column, instance: number, from: number, to: number): void {
    const use = column.use[instance] as number;
    for (const [host, change] of [
      [from, -use / (column.size[from] as number)],
      [to, use / (column.size[to] as number)],
    ] as const) {
      const before = column.load[host] as number;
      const after = before + change;
      column.load[host] = after;
      column.sum += change;
      column.squares += after * after - before * before;
    }
  }

  const pressure = new Float64Array(columns[0]?.load.length ?? 0);
  const order = createPressureOrder(hosts);
  let ordered: readonly number[] = [];
  let stale = true;

  function addPressure({ load, weight, sum, squares }: Column): void {
    const deviation = spread(sum, squares, count);
    if (deviation === 0) return;
    for (const host of hosts) {
      pressure[host] = (pressure[host] as number) + (weight * ((load[host] as number) - sum / count)) / deviation;
    }
  }

  function pressures(): Float64Array {
    if (!stale) return pressure;
    pressure.fill(0);
    for (const column of columns) addPressure(column);
    ordered = order.refresh(pressure);
    stale = false;
    return pressure;
  }

  return {
    hosts,
    ...createDepartures(columns, count),
    deviation: (metric) => spread(columns[metric]?.sum ?? 0, columns[metric]?.squares ?? 0, count),
    weighted: () =>
      columns.reduce((total, column) => total + column.weight * spread(column.sum, column.squares, count), 0),
    weightedAfter(instance, from, to, back = -1) {
      if (single !== undefined) return columnAfter(single, instance, from, to, back);
      let total = 0;
      for (const column of columns) total += columnAfter(column, instance, from, to, back);
      return total;
    },
    move(instance, from, to) {
      stale = true;
      for (const column of columns) moveColumn(column, instance, from, to);
    },
    load: (metric, host) => columns[metric]?.load[host] ?? Number.NaN,
    mean: (metric) => (columns[metric]?.sum ?? 0) / count,
    pressure: (host) => pressures()[host] ?? 0,
    byPressure() {
      pressures();
      return ordered;
    },
  };
}

/**
 * Few hosts change between two rounds, so an insertion sort of the former order is near-linear. `pressure` is indexed
 * by host row.
 */
function createPressureOrder(hosts: readonly number[]): PressureOrder {
  const order = [...hosts];
  let sorted = false;

  function insertionSort(pressure: Float64Array): void {
    for (let index = 1; index < order.length; index++) {
      const host = order[index] as number;
      const key = pressure[host] as number;
      let place = index;
      while (place > 0 && precedes(host, key, order[place - 1] as number, pressure)) {
        order[place] = order[place - 1] as number;
        place--;
      }
      order[place] = host;
    }
  }

  return {
    refresh(pressure) {
      if (sorted) insertionSort(pressure);
      else order.sort((a, b) => (pressure[b] as number) - (pressure[a] as number) || a - b);
      sorted = true;
      return order;
    },
  };
}

function precedes(host: number, key: number, other: number, pressure: Float64Array): boolean {
  const otherKey = pressure[other] as number;
  return key > otherKey || (key === otherKey && host < other);
}

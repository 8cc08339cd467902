import type { WhatIf } from '#libs/cluster-model';
import { type MoveWorth, minutesNearLimit } from '../shared/moves/load-worth.ts';
import { moveMinutes } from '../shared/moves/move-cost.ts';
import type { LoadMetric, LoadTable } from './load-table.ts';

/** A move and the resulting weighted deviation. */
export interface Move {
  instance: number;
  from: number;
  to: number;
  after: number;
  /** Instance that moves in the opposite direction. Absent for a single move. */
  back?: number;
}

/** Benefit of moves that balance loads, based on the current loads. */
export interface Worth {
  /** Benefit of a move before it is made, including the instance in the opposite direction. */
  ofMove(move: Omit<Move, 'after'>): MoveWorth;
  /** Benefit of moves that are made, compared to the loads at the start. */
  ofMade(instances: readonly number[]): MoveWorth;
}

/**
 * Starts with the current loads. The limits of a host are the mean load plus and minus the threshold of the metric. A
 * host at or beyond its limit counts as near it all the time. Other hosts count in proportion to their distance from
 * the mean. Several metrics count by their weights.
 * @param thresholds of the metrics, in the unit of the loads
 */
export function createWorth(
  model: WhatIf,
  table: LoadTable,
  metrics: readonly LoadMetric[],
  thresholds: readonly number[],
): Worth {
  const weights = metrics.reduce((sum, { weight }) => sum + weight, 0);
  const means = metrics.map((_, metric) => table.mean(metric));
  const distance = (metric: number, load: number) => Math.abs(load - means[metric]!);
  const starts = metrics.map((_, metric) => {
    const atHost = new Map(table.hosts.map((host) => [host, distance(metric, table.load(metric, host))]));
    return (host: number) => ({ excess: Math.max(thresholds[metric] ?? 0, atHost.get(host) ?? 0), share: 1 });
  });
  const cpu = metrics.find(({ name }) => name === 'host_cpu_usage')?.use;
  const { vcpus } = model.snapshot.instances;
  const price = (instance: number) =>
    moveMinutes(model, instance, cpu === undefined ? 0 : ((cpu[instance] as number) / vcpus[instance]!) * 100);

  /** @param moved signed use of arriving and leaving instances */
  function minutes(host: number, moved: readonly { instance: number; sign: 1 | -1 }[] = []): number {
    return metrics.reduce((sum, { weight, use, hostSize }, metric) => {
      const change = moved.reduce((load, { instance, sign }) => load + (sign * use[instance]!) / hostSize[host]!, 0);
      const excess = distance(metric, table.load(metric, host) + change);
      return sum + (weights > 0 ? weight / weights : 0) * minutesNearLimit(starts[metric]!(host), excess);
    }, 0);
  }

  const all = () => table.hosts.reduce((sum, host) => sum + minutes(host), 0);
  const atStart = all();
  return {
    ofMove({ instance, from, to, back }) {
      const comes = (row: number) => ({ instance: row, sign: 1 }) as const;
      const goes = (row: number) => ({ instance: row, sign: -1 }) as const;
      const others = back === undefined ? [] : [back];
      const after =
        minutes(from, [goes(instance), ...others.map(comes)]) + minutes(to, [comes(instance), ...others.map(goes)]);
      return {
        avoided: minutes(from) + minutes(to) - after,
        price: [instance, ...others].reduce((sum, row) => sum + price(row), 0),
      };
    },
    ofMade: (instances) => ({
      avoided: atStart - all(),
      price: instances.reduce((sum, instance) => sum + price(instance), 0),
    }),
  };
}

import type { WhatIf } from '#libs/cluster-model';
import type { MetricAggregate, MetricName } from '#libs/domain';
import type { MetricsReader, ProposedAction, StrategyResult } from '#libs/plugin-kit';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { MetricsMissingError } from '../report/errors.ts';
import { readInstanceLoads } from './movable-instances.ts';
import { acceptingHosts, hostAt } from './rows.ts';

/** Hosts that accept instances, divided by a metric at a threshold. */
export interface SplitHosts {
  /** Value of the metric, by host row. NaN: not measured. */
  values: Float64Array;
  /** CPU load of instances, in vcpus. */
  loads: Float64Array;
  /** Rows at or above the threshold, the highest value first. */
  high: number[];
  /** Rows below the threshold, the lowest value first. */
  low: number[];
}

/** The threshold of a host metric by which a strategy divides hosts. */
interface Split {
  strategy: string;
  metric: MetricName;
  threshold: number;
}

/** Parameters for the window in which a strategy reads its metrics. */
interface WindowParameters {
  period: number;
  granularity: number;
  aggregation_method?: MetricAggregate;
}

/** The window of a strategy's parameters. Default aggregate: the mean. */
export function windowOf({ period, granularity, aggregation_method: aggregate = 'mean' }: WindowParameters) {
  return { periodSeconds: period, granularitySeconds: granularity, aggregate };
}

/**
 * Reads a metric of the hosts, and the loads of instances. Hosts without a value are counted as blocked.
 * @throws MetricsMissingError when no host has a value
 */
export async function readSplitHosts(
  { model, metrics, parameters }: { model: WhatIf; metrics: MetricsReader; parameters: WindowParameters },
  { strategy, metric, threshold }: Split,
  blocked: BlockedTally,
): Promise<SplitHosts> {
  const window = windowOf(parameters);
  const [values, loads] = await Promise.all([metrics.hosts(metric, window), readInstanceLoads(model, metrics, window)]);
  const level = (row: number) => values[row] as number;
  const accepting = acceptingHosts(model);
  const measured = accepting.filter((row) => {
    const isKnown = !Number.isNaN(level(row));
    if (!isKnown) blocked.add('host-without-metric', hostAt(model.snapshot, row).hostname);
    return isKnown;
  });
  if (accepting.length > 0 && measured.length === 0)
    throw new MetricsMissingError(strategy, [metric], parameters.period);
  return {
    values,
    loads,
    high: measured.filter((row) => level(row) >= threshold).sort((a, b) => level(b) - level(a) || a - b),
    low: measured.filter((row) => level(row) < threshold).sort((a, b) => level(a) - level(b) || a - b),
  };
}

/** Result of a strategy on divided hosts. */
interface SplitOutcome {
  actions: ProposedAction[];
  /** Number of instances that the strategy could have moved. */
  eligible: number;
  blocked: BlockedTally;
  /** Why there is no action. Called only without actions. */
  whyEmpty(): string;
  notes: string[];
}

/** Result of a strategy on divided hosts, with the counts of the report. */
export function splitResult({ snapshot }: WhatIf, { high, low }: SplitHosts, outcome: SplitOutcome): StrategyResult {
  const { actions, eligible, blocked, whyEmpty, notes } = outcome;
  return {
    actions,
    indicators: {},
    report: {
      hosts: { considered: snapshot.hostInfo.length, eligible: high.length + low.length },
      instances: { considered: snapshot.instanceInfo.length, eligible },
      blocked: blocked.counts(),
      emptyBecause: actions.length > 0 ? null : whyEmpty(),
      notes,
    },
  };
}

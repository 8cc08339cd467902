import type { StrategyContext } from '#libs/plugin-kit';
import type { BlockedTally } from '../blocked-tally.ts';
import { MetricsMissingError } from '../errors.ts';
import { readInstanceLoads } from '../movable-instances.ts';
import { acceptingHosts, hostAt } from '../rows.ts';
import type { UniformAirflowParameters } from './parameters.ts';

/** Hosts with a strong airflow, strongest first, and the others, weakest first; columns have a value per host row. */
export interface AirflowHosts {
  airflow: Float64Array;
  inlet: Float64Array;
  power: Float64Array;
  /** Of the instances, in vcpus. */
  loads: Float64Array;
  strong: number[];
  weak: number[];
}

/**
 * Reads the three metrics, and the loads of instances; hosts without an airflow are counted as blocked. Throws MetricsMissingError when no host has
 * one.
 */
export async function readHosts(
  { model, metrics, parameters }: StrategyContext<UniformAirflowParameters>,
  blocked: BlockedTally,
): Promise<AirflowHosts> {
  const { threshold_airflow: threshold, period, granularity, aggregation_method: aggregate = 'mean' } = parameters;
  const window = { periodSeconds: period, granularitySeconds: granularity, aggregate };
  const [airflow, inlet, power, loads] = await Promise.all([
    metrics.hosts('host_airflow', window),
    metrics.hosts('host_inlet_temp', window),
    metrics.hosts('host_power', window),
    readInstanceLoads(model, metrics, window),
  ]);
  const flow = (row: number) => airflow[row] as number;
  const used = acceptingHosts(model);
  const measured = used.filter((row) => !Number.isNaN(flow(row)));
  for (const row of used)
    if (Number.isNaN(flow(row))) blocked.add('host-without-metric', hostAt(model.snapshot, row).hostname);
  if (used.length > 0 && measured.length === 0)
    throw new MetricsMissingError('uniform_airflow', ['host_airflow'], period);
  return {
    airflow,
    inlet,
    power,
    loads,
    strong: measured.filter((row) => flow(row) >= threshold).sort((a, b) => flow(b) - flow(a) || a - b),
    weak: measured.filter((row) => flow(row) < threshold).sort((a, b) => flow(a) - flow(b) || a - b),
  };
}

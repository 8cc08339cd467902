import type { ComputeSnapshot } from '#libs/cluster-model';
import { InvalidInputError, type JsonObject, silentLogger } from '#libs/domain';
import { executeStrategy, type MetricsReader, type StrategyResult, validateParameters } from '#libs/plugin-kit';
import { createTestMetrics } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '#libs/strategies';

/** CPU use of every instance where a bench says nothing else, in percent. */
const cpuPercent = 30;

/** A strategy's result. */
export interface Proposal extends StrategyResult {
  /** Processor time of the strategy. */
  seconds: number;
}

/**
 * Runs a strategy on a snapshot as an audit does, in this thread and from one seed. Default of `metrics`: every
 * instance uses 30 % of its CPUs.
 * @throws InvalidInputError for an unknown strategy or invalid parameters
 */
export async function proposeOn(
  snapshot: ComputeSnapshot,
  name: string,
  given: JsonObject,
  { metrics, seed = 1 }: { metrics?: MetricsReader; seed?: number } = {},
): Promise<Proposal> {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (strategy === undefined) throw new InvalidInputError('strategy', `there is none called ${name}`);
  const parameters = validateParameters(strategy.manifest.parameters, given);
  const started = process.cpuUsage();
  const result = await executeStrategy(strategy, {
    ...{ snapshot, parameters, seed, nowMs: 0, log: silentLogger },
    metrics: metrics ?? createTestMetrics(snapshot, { instance_cpu_usage: cpuPercent }),
    signal: new AbortController().signal,
  });
  const { user, system } = process.cpuUsage(started);
  return { ...result, seconds: (user + system) / 1e6 };
}

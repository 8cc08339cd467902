import { performance } from 'node:perf_hooks';
import {
  applyScope,
  buildBaremetalSnapshot,
  type ComputeSnapshot,
  coolDown,
  holdBack,
  refuseDestinations,
} from '#libs/cluster-model';
import { type JsonObject, silentLogger, VigilError } from '#libs/domain';
import {
  createMetricsReader,
  type PlannedAction,
  type PluginRegistry,
  type StrategyManifest,
  type StrategyPlugin,
} from '#libs/plugin-kit';
import { PluginFailedError, PluginTimeoutError } from '../strategy-runner/errors.ts';
import { createStrategyRunner } from '../strategy-runner/strategy-runner.ts';
import { asProposedSource } from './as-proposed.ts';
import type { AssessedWorld, WorldInput } from './assessed-world.ts';
import type { JudgedModels } from './judge-proposal.ts';

/** Limits of each run. */
export interface RunBounds {
  timeLimitMs: number;
  memoryMb: number;
}

/** Proposed actions of a strategy, with all values that equal runs share. */
export interface Proposal {
  kind: 'proposed';
  actions: PlannedAction[];
  indicators: Record<string, number>;
  /** Model of the strategy, to check the actions. */
  judged: JudgedModels;
  /** Whether its limit of time ended a search. */
  endedByClock: boolean;
  /** Time of the strategy alone, without thread start and metrics. */
  ms: number;
}

/**
 * A run without a result. `time` and `memory`: a limit ended it. `contract`: the result cannot be used. `refusal`: the
 * strategy lacks data, which is no fault. `error`: it failed.
 */
export interface NoProposal {
  kind: 'time' | 'memory' | 'contract' | 'refusal' | 'error';
  message: string;
  ms: number;
}

/** Runs strategies on worlds in threads, as the decision engine does. */
export interface ProposalRunner {
  /** @param order see `AssessedWorld.input` */
  run(strategy: StrategyPlugin, world: AssessedWorld, order: number): Promise<Proposal | NoProposal>;
  close(): Promise<void>;
}

/** Error codes of a strategy that refuses a run because of missing data. */
const refusals = new Set(['metrics_missing', 'model_missing', 'invalid_input']);
const contractCodes = new Set(['invalid_strategy_result', 'invalid_plugin_result']);

/**
 * A runner whose threads have a clock ahead of real time. Strategies that read the clock then return another result.
 * @param clockAheadMs milliseconds
 */
export function createProposalRunner(
  registry: PluginRegistry,
  { bounds, parameters, clockAheadMs }: { bounds: RunBounds; parameters: JsonObject; clockAheadMs: number },
): ProposalRunner {
  const runner = createStrategyRunner({
    threads: 1,
    logger: silentLogger,
    memoryLimitMb: bounds.memoryMb,
    scoring: registry.scoringSources(),
    actions: registry.actions(),
    clockAheadMs,
  });
  return {
    async run(strategy, world, order) {
      const started = performance.now();
      const elapsed = () => performance.now() - started;
      const input = world.input(order);
      const limited = limitedModel(strategy.manifest, world, input.snapshot);
      try {
        const models = strategy.modelsFor
          ? await runner.models({ ...threadOf(registry, strategy, bounds), parameters })
          : strategy.manifest.models;
        const { actions, indicators, report, timings } = await runner.run({
          ...threadOf(registry, strategy, bounds),
          ...inputOf(world, input, models),
          planner: asProposedSource,
          goal: registry.source('goal', strategy.manifest.goal),
          limits: { parallelMigrations: 10, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 },
          ...{ snapshot: limited, parameters: structuredClone(parameters), seed: 1 },
          metrics: createMetricsReader({ history: input.history, snapshot: limited, endMs: input.nowMs }).reader,
        });
        const held = strategy.manifest.byOrder === true ? [] : world.limits.failedMigrations;
        const judged = { snapshot: holdBack(limited, held), storage: input.storage };
        const endedByClock = report.search?.endedBy === 'clock';
        return { kind: 'proposed', actions, indicators, judged, endedByClock, ms: timings.load + timings.compute };
      } catch (error) {
        return await noProposal(error, { manifest: strategy.manifest, snapshot: limited, input }, elapsed());
      }
    },
    close: () => runner.close(),
  };
}

function threadOf(registry: PluginRegistry, { manifest }: StrategyPlugin, { timeLimitMs }: RunBounds) {
  const strategy = registry.source('strategy', manifest.name);
  return { strategy, timeLimitMs, signal: new AbortController().signal };
}

function inputOf({ limits }: AssessedWorld, input: WorldInput, models: readonly string[]) {
  const empty = { nodes: [], takenAtMs: input.nowMs };
  return {
    nowMs: input.nowMs,
    failedMigrations: limits.failedMigrations,
    past: limits.past,
    ...(models.includes('storage') && input.storage ? { storage: input.storage } : {}),
    ...(models.includes('baremetal') ? { baremetal: input.baremetal ?? buildBaremetalSnapshot(empty) } : {}),
  };
}

/** The part of the cloud that the audit may change. See `computePlan`. */
function limitedModel(
  { byOrder }: StrategyManifest,
  { limits }: AssessedWorld,
  whole: ComputeSnapshot,
): ComputeSnapshot {
  const scoped = applyScope(whole, limits.scope).snapshot;
  if (byOrder === true) return scoped;
  return refuseDestinations(coolDown(scoped, limits.recentlyMoved), limits.refusedMoves);
}

async function noProposal(
  error: unknown,
  run: { manifest: StrategyManifest; snapshot: ComputeSnapshot; input: WorldInput },
  ms: number,
): Promise<NoProposal> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PluginTimeoutError) return { kind: 'time', message, ms };
  if (!(error instanceof PluginFailedError)) throw error;
  if (error.isOutOfMemory) return { kind: 'memory', message, ms };
  const code = error.cause instanceof VigilError ? error.cause.code : error.faultCode;
  if (contractCodes.has(code ?? '')) return { kind: 'contract', message, ms };
  if (refusals.has(code ?? '')) return { kind: 'refusal', message, ms };
  return { kind: (await lacksMetric(message, run)) ? 'refusal' : 'error', message, ms };
}

/**
 * Plugins cannot throw errors with a code. An error that names a required metric without values counts as a refusal.
 */
async function lacksMetric(
  message: string,
  { manifest, snapshot, input }: { manifest: StrategyManifest; snapshot: ComputeSnapshot; input: WorldInput },
): Promise<boolean> {
  const names = [
    ...snapshot.hostInfo.map(({ hostname }) => hostname),
    ...snapshot.instanceInfo.map(({ uuid }) => uuid),
  ];
  for (const metric of manifest.metrics.filter((name) => message.includes(name))) {
    const window = { metric, aggregate: 'mean' as const, periodSeconds: 86_400, endMs: input.nowMs };
    const values = await input.history.aggregate(window);
    if (!names.some((name) => Number.isFinite(values.get(name)))) return true;
  }
  return false;
}

import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { type JsonObject, type Logger, silentLogger, type WantedMove } from '#libs/domain';
import { executeStrategy } from '../execute-strategy.ts';
import { validateParameters } from '../parameters.ts';
import { createScoringReader, type ScoringEnginePlugin } from '../scoring.ts';
import { noPast, type PastDeeds, type StrategyPlugin, type StrategyResult } from '../strategy.ts';
import type { WorkOptions } from '../work.ts';
import { createTestMetrics, type TestMetrics } from './test-metrics.ts';

/** Cloud on which a strategy is tried. */
export interface StrategyWorld {
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  metrics?: TestMetrics;
  /** Default none. */
  scoringEngines?: readonly ScoringEnginePlugin[];
  /** Uuids of instances. Default none. */
  failedMigrations?: readonly string[];
  /** Default: nothing was done before. */
  past?: Partial<PastDeeds>;
  /** Migrations to plan without a search. Default: null. */
  replan?: readonly WantedMove[] | null;
  /** As an operator gives them: checked by the schema of the manifest, absent ones get their defaults. */
  parameters?: object;
  /** Default 1. */
  seed?: number;
  /** Number of the start, early end, and receiver of reports. Default: the first start, neither of the others. */
  work?: Omit<WorkOptions, 'total'>;
  /** Default: when the snapshot was taken. */
  nowMs?: number;
  signal?: AbortSignal;
  log?: Logger;
}

/**
 * Runs a strategy as the engine does (parameters validated and defaulted, private view, seeded random numbers, result
 * checked), but in this thread and without a cloud. Throws the errors of the strategy, InvalidInputError for
 * parameters,
 * InvalidStrategyResultError for a result that breaks the contract.
 */
export async function runStrategy(strategy: StrategyPlugin<object>, world: StrategyWorld): Promise<StrategyResult> {
  return await executeStrategy(strategy, {
    snapshot: world.snapshot,
    storage: world.storage,
    baremetal: world.baremetal,
    metrics: createTestMetrics(world.snapshot, world.metrics ?? {}),
    scoring: createScoringReader(async () => world.scoringEngines ?? []),
    failedMigrations: world.failedMigrations,
    past: { ...noPast, ...world.past },
    replan: world.replan,
    parameters: validateParameters(strategy.manifest.parameters, world.parameters as JsonObject | undefined),
    seed: world.seed ?? 1,
    work: world.work,
    nowMs: world.nowMs ?? world.snapshot.takenAtMs,
    signal: world.signal ?? new AbortController().signal,
    log: world.log ?? silentLogger,
  });
}

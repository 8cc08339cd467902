import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { type JsonObject, type Logger, silentLogger, type WantedMove } from '#libs/domain';
import { globalEfficacyOf, planWith } from '../call-plugin.ts';
import { type ActionSchemas, checkPlannedActions, checkProposedActions } from '../check-actions.ts';
import { executeStrategy, type MigrationTimes } from '../execute-strategy.ts';
import { validateIndicators, validateParameters } from '../parameters.ts';
import type { PlannedAction } from '../planner.ts';
import type { VigilPlugin } from '../plugin.ts';
import type { PluginRegistry } from '../registry.ts';
import { createScoringReader, type ScoringEnginePlugin, scoringEnginesOf } from '../scoring.ts';
import { noPast, type PastActions, type StrategyPlugin, type StrategyResult } from '../strategy.ts';
import type { WorkOptions } from '../work.ts';
import { registryFor } from './kit-registry.ts';
import { createTestMetrics, type TestMetrics } from './test-metrics.ts';
import { testUuid } from './test-world.ts';

/** Cloud on which a strategy is tried. */
export interface StrategyWorld {
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  metrics?: TestMetrics;
  /**
   * Other plugins that the strategy needs: its own goal, planner, action types. The list that the module exports will
   * do. Default: those of Vigil only.
   */
  plugins?: readonly VigilPlugin[];
  /** Default: those among `plugins`. */
  scoringEngines?: readonly ScoringEnginePlugin[];
  /** Uuids of instances. Default none. */
  failedMigrations?: readonly string[];
  /** Default: nothing was done before. */
  past?: Partial<PastActions>;
  /** Median durations of migrations. Default: the default guess. */
  migrationTimes?: MigrationTimes;
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
 * Runs a strategy as the engine does, but in this thread and without a cloud: manifest, goal and planner checked,
 * parameters validated and defaulted, private view, seeded random numbers, result, actions and indicators checked.
 * Throws the errors of the strategy, OperatorError for the manifest, InvalidInputError for parameters and indicators,
 * InvalidStrategyResultError for a result that breaks the contract.
 */
export async function runStrategy(strategy: StrategyPlugin<object>, world: StrategyWorld): Promise<StrategyResult> {
  const { result } = await runChecked(strategy, world);
  return result;
}

/**
 * Runs a strategy as `runStrategy`, arranges its actions with its planner, and measures them with its goal.
 * @throws InvalidPluginResultError when planner or goal fail or break their contract, and the errors of `runStrategy`.
 */
export async function planStrategy(
  strategy: StrategyPlugin<object>,
  world: StrategyWorld,
): Promise<{ result: StrategyResult; planned: PlannedAction[] }> {
  const { registry, result } = await runChecked(strategy, world);
  const { goal, planner } = strategy.manifest;
  let last = 0;
  const planned = planWith(registry.planner(planner), result.actions, {
    snapshot: world.snapshot,
    limits: planLimits,
    leftAlone: result.leftAlone,
    newUuid: () => {
      last += 1;
      return testUuid(`action ${last}`);
    },
    onBlocked: () => {},
  });
  checkPlannedActions(planner, planned, schemasOf(registry));
  globalEfficacyOf(registry.goal(goal), result.indicators);
  return { result, planned };
}

/** The defaults of the engine. */
const planLimits = { parallelMigrations: 2, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 };

async function runChecked(
  strategy: StrategyPlugin<object>,
  world: StrategyWorld,
): Promise<{ registry: PluginRegistry; result: StrategyResult }> {
  const registry = registryFor(strategy, world.plugins ?? []);
  const engines = world.scoringEngines ?? scoringEnginesOf(world.plugins ?? []);
  const result = await executeStrategy(strategy, {
    snapshot: world.snapshot,
    storage: world.storage,
    baremetal: world.baremetal,
    metrics: createTestMetrics(world.snapshot, world.metrics ?? {}),
    scoring: createScoringReader(async () => engines),
    failedMigrations: world.failedMigrations,
    past: { ...noPast, ...world.past },
    migrationTimes: world.migrationTimes,
    replan: world.replan,
    parameters: validateParameters(strategy.manifest.parameters, world.parameters as JsonObject | undefined),
    seed: world.seed ?? 1,
    work: world.work,
    nowMs: world.nowMs ?? world.snapshot.takenAtMs,
    signal: world.signal ?? new AbortController().signal,
    log: world.log ?? silentLogger,
  });
  checkProposedActions(strategy.manifest.name, result, schemasOf(registry));
  validateIndicators(registry.goal(strategy.manifest.goal), result.indicators);
  return { registry, result };
}

function schemasOf(registry: PluginRegistry): ActionSchemas {
  return new Map(registry.actions().map(({ name, schema }) => [name, schema]));
}

import {
  type BaremetalSnapshot,
  brokenRules,
  type ComputeSnapshot,
  createStorageWhatIf,
  createWhatIf,
  holdBack,
  type StorageSnapshot,
} from '#libs/cluster-model';
import { createRandom, type JsonObject, type Logger, type WantedMove } from '#libs/domain';
import { type DurationLine, defaultGuess, fitKinds, secondsAt, type TimedSample } from '#libs/durations';
import { brokenRuleNotes } from './broken-rule-notes.ts';
import { createScoringReader, type ScoringReader } from './scoring.ts';
import { improvePlacement } from './search/improve-placement.ts';
import { softGroupNotes } from './soft-group-notes.ts';
import { type MetricsReader, noPast, type PastActions, type StrategyPlugin, type StrategyResult } from './strategy.ts';
import { checkStrategyResult } from './strategy-result.ts';
import { createStrategyWork, type StrategyWork, type WorkOptions, workOf } from './work.ts';

/** Median durations of migrations on a cloud, by way and memory. */
export type MigrationTimes = Record<'live' | 'cold', DurationLine>;

const guessedTimes: MigrationTimes = { live: defaultGuess('live'), cold: defaultGuess('cold') };

/** Median durations of migrations from finished actions, the oldest first. */
export function migrationTimesOf(finished: readonly TimedSample[]): MigrationTimes {
  const models = fitKinds(['live', 'cold'], finished);
  const lineOf = (way: 'live' | 'cold') => models.get(way)?.line ?? defaultGuess(way);
  return { live: lineOf('live'), cold: lineOf('cold') };
}

/** Complete input of a strategy. */
export interface StrategyRun {
  snapshot: ComputeSnapshot;
  /** Needed by strategies that read the model `storage`. */
  storage?: StorageSnapshot;
  /** Needed by strategies that read the model `baremetal`. */
  baremetal?: BaremetalSnapshot;
  metrics: MetricsReader;
  /** Default: no scoring engine at all. */
  scoring?: ScoringReader;
  /** Left alone unless the strategy acts by order. Default none. */
  failedMigrations?: readonly string[];
  /** Default: nothing. */
  past?: PastActions;
  /** Median durations of migrations. Default: the default guess. */
  migrationTimes?: MigrationTimes;
  /** See `StrategyContext`. Default: null. */
  replan?: readonly WantedMove[] | null;
  /** Validated and with defaults, see `validateParameters`. */
  parameters: JsonObject;
  /** Seed of the strategy's random numbers. An unsigned 32-bit number. */
  seed: number;
  /** Default: the work of the parameters, without an early end. */
  work?: Omit<WorkOptions, 'total'>;
  /** Time of the strategy's clock for the whole run. Milliseconds since 1970. */
  nowMs: number;
  signal: AbortSignal;
  log: Logger;
}

/**
 * Runs a strategy in this thread on a private view of the snapshot. The same run gives the same result. The report
 * includes broken rules and the effect on soft server groups. Throws the errors of the strategy, and
 * InvalidStrategyResultError.
 */
export async function executeStrategy(strategy: StrategyPlugin<object>, run: StrategyRun): Promise<StrategyResult> {
  const failed = run.failedMigrations ?? [];
  const work = createStrategyWork({ ...run.work, total: workOf(run.parameters) });
  const held = strategy.manifest.byOrder === true ? [] : failed;
  const model = createWhatIf(holdBack(run.snapshot, held));
  const random = createRandom(run.seed + work.start * seedStep);
  const broken = brokenRules(model);
  const result = await strategy.run({
    model,
    ...(run.storage === undefined ? {} : { storage: createStorageWhatIf(run.storage, held) }),
    ...(run.baremetal === undefined ? {} : { baremetal: run.baremetal }),
    metrics: run.metrics,
    scoring: run.scoring ?? createScoringReader(async () => []),
    failedMigrations: failed,
    past: run.past ?? noPast,
    migrationSeconds: (way, mib) => secondsAt((run.migrationTimes ?? guessedTimes)[way], mib),
    replan: run.replan ?? null,
    parameters: run.parameters,
    clock: { now: () => run.nowMs },
    random,
    work,
    improvePlacement: (costs, mostMoves) => improvePlacement({ model, work, random }, costs, mostMoves),
    signal: run.signal,
    log: run.log,
  });
  const checked = withSearch(checkStrategyResult(strategy.manifest.name, result), work);
  const rules = [...brokenRuleNotes(model, broken, checked.actions), ...softGroupNotes(model, checked.actions)];
  if (rules.length === 0) return checked;
  return { ...checked, report: { ...checked.report, notes: [...checked.report.notes, ...rules] } };
}

/** Starts of a search are so far apart. An odd number. */
const seedStep = 0x9e3779b1;

/** Reports the progress of a search, if there was one. */
function withSearch(result: StrategyResult, work: StrategyWork): StrategyResult {
  if (work.spent === 0) return result;
  const { spent, total, start } = work;
  const endedBy = work.endedBy() ?? result.endedBy ?? 'converged';
  const search = { work: spent, budget: total, endedBy, starts: 1, bestStart: start };
  return { ...result, report: { ...result.report, search } };
}

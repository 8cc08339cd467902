import { aimOf, type JsonObject, mergesAims, VigilError } from '#libs/domain';
import type { PluginRegistry, StrategyPlugin } from '#libs/plugin-kit';
import { type DayWorld, stepSeconds } from '../replay/replay-world.ts';
import { type DayResult, simulateDay } from '../replay/simulate-day.ts';
import type { RawFinding } from './assessment.ts';
import type { RunBounds } from './run-proposals.ts';

/** Steps between two audits: an hour. */
const everySteps = 3600 / stepSeconds;
const stepsOfDay = 86_400 / stepSeconds;
/** Number of returns to an earlier host in a day from which an instance flaps. */
const mostReturns = 2;
/** Moves of all instances in a day, divided by their number. */
const mostMovesEach = 2;

/** A day on which a strategy runs as a continuous audit. */
export interface AssessedDay {
  name: string;
  /** Whether load and cloud do not change. */
  still: boolean;
  /** Options of the command that reproduce the day. */
  options: string;
  day: DayWorld;
}

/** Course of a day. `audits`: those with a result. */
export interface PlayedDay {
  day: string;
  audits: number;
  moves: number;
  moves_per_instance: number;
  returns: number;
}

/** Findings of all days. */
export interface DayFindings {
  findings: RawFinding[];
  days: PlayedDay[];
  /** Most moves of one instance on one day. */
  mostOfOne: number;
  /** Why no day could be replayed. */
  failure: string | null;
}

/**
 * Runs the strategy as a continuous audit over each day, every hour. Every plan starts, and no instance rests longer
 * than an hour. The assessment therefore measures the strategy without the limits of the decision engine.
 */
export async function assessDays(
  {
    registry,
    strategy,
    parameters,
    bounds,
    onDay,
    signal,
  }: {
    registry: PluginRegistry;
    strategy: StrategyPlugin;
    parameters: JsonObject;
    bounds: RunBounds;
    onDay(day: string, done: number): void;
    signal: AbortSignal | undefined;
  },
  days: readonly AssessedDay[],
): Promise<DayFindings> {
  const sums: DayFindings = { findings: [], days: [], mostOfOne: 0, failure: null };
  const { name: strategyName, goal: goalName, parameters: schema } = strategy.manifest;
  const aims = { aim: aimOf(schema, parameters), merges: mergesAims(schema) };
  const audit = { text: strategyName, strategyName, goalName, parameters, ...aims };
  for (const { name, still, options, day } of days) {
    const failures: string[] = [];
    try {
      const played = await simulateDay(day, [audit], {
        ...{ settledStep: 0, firstStep: firstStepOf(day), level: 'all' },
        engine: {
          ...{ registry, strategyTimeLimitMs: bounds.timeLimitMs, memoryLimitMb: bounds.memoryMb },
          moveLimits: unlimited,
        },
        isDue: (step) => step % everySteps === 0,
        onFailure: ({ message }) => failures.push(message),
        onStep({ step }) {
          signal?.throwIfAborted();
          onDay(name, step / day.steps);
        },
      });
      const course = courseOf(name, day, played, failures.length);
      if (course.audits === 0) {
        sums.failure ??= failures[0] ?? null;
        continue;
      }
      const size = day.hosts.length + day.instances.length;
      sums.findings.push(...findingsOf(day, played, still, { name, size, options }));
      sums.days.push(course);
      sums.mostOfOne = Math.max(sums.mostOfOne, played.sums.most_moves_of_one ?? 0);
    } catch (error) {
      if (!(error instanceof VigilError)) throw error;
      sums.failure ??= error.message;
    }
  }
  return sums;
}

const unlimited = {
  ...{ coolDownMs: 0, oppositeRestMs: 0, instanceMovesPerDay: 0 },
  ...{ hostMovesPerHour: 0, cloudMovesPerHour: 0 },
};

/** First step of the last day of a longer recording. The days before it are in the history only. */
function firstStepOf({ steps }: DayWorld): number {
  return Math.max(0, steps - stepsOfDay);
}

function courseOf(name: string, day: DayWorld, { moves, sums }: DayResult, failed: number): PlayedDay {
  const { instances, steps } = day;
  return {
    day: name,
    audits: Math.ceil((steps - firstStepOf(day)) / everySteps) - failed,
    moves: moves.length,
    moves_per_instance: Math.round((100 * moves.length) / Math.max(1, instances.length)) / 100,
    returns: sums.returns ?? 0,
  };
}

/** Moves of an instance in the order of time. */
type Path = DayResult['moves'];

function findingsOf(day: DayWorld, { moves }: DayResult, still: boolean, world: RawFinding['world']): RawFinding[] {
  const names = new Map(day.instances.map(({ uuid, name }) => [uuid, name]));
  const paths = new Map<string, Path>();
  for (const move of moves) paths.set(move.instance, [...(paths.get(move.instance) ?? []), move]);
  const findings: RawFinding[] = [];
  const blame = (kind: string, what: string, path: Path) =>
    findings.push({ property: 'calm', kind, what, action: pathText(names, path), world });

  const flapping = [...paths.values()].filter((path) => returnsOf(path) >= (still ? 1 : mostReturns));
  const worst = mostOf(flapping, returnsOf);
  if (worst !== undefined) {
    const share = `${flapping.length} of ${day.instances.length} instances`;
    blame(
      'ping-pong',
      `${share} went back to a former host ${still ? 'although nothing changed' : 'again and again'}.`,
      worst,
    );
  }
  const settledMs = day.startMs + (day.steps * stepSeconds * 1000) / 2;
  const late = still ? moves.filter(({ endedAt }) => endedAt.getTime() > settledMs) : [];
  if (late.length > 0) {
    const path = paths.get(late[0]!.instance) ?? [];
    blame('restless', `${late.length} moves came after 12 hours in which nothing had changed.`, path);
  }
  if (moves.length > mostMovesEach * day.instances.length) {
    const each = (moves.length / day.instances.length).toFixed(1);
    blame(
      'many',
      `Each instance was moved ${each} times on the mean.`,
      mostOf([...paths.values()], ({ length }) => length)!,
    );
  }
  return findings;
}

function mostOf(paths: readonly Path[], numberOf: (path: Path) => number): Path | undefined {
  return [...paths].sort((one, other) => numberOf(other) - numberOf(one))[0];
}

/** Moves of a path that return to an earlier host. */
function returnsOf(path: Path): number {
  const former = new Set<string | null>();
  return path.filter(({ from, to }) => {
    former.add(from);
    return former.has(to);
  }).length;
}

/** Moves of a path that are shown. */
const shownMoves = 4;

function pathText(names: ReadonlyMap<string, string>, path: Path): string {
  const [first] = path;
  const stops = path.slice(0, shownMoves).map(({ to, endedAt }) => `${to} (${endedAt.toISOString().slice(11, 16)})`);
  const more = path.length > shownMoves ? ` and ${path.length - shownMoves} more` : '';
  return `${names.get(first?.instance ?? '') ?? first?.instance}: ${[first?.from, ...stops].join(' > ')}${more}`;
}

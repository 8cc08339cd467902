import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, doublingPause, type Logger, type RandomSource } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';
import type { Dependency, DependencyReport, GateReport } from './dependency.ts';
import type { DependencyMetrics } from './dependency-metrics.ts';
import { type ProbedDependency, probeDependency } from './probe-dependency.ts';

/** How often and how patiently is probed. */
export interface WatchTiming {
  /**
   * Pause between two rounds in milliseconds. It varies by a fifth. While a required dependency is missing it is
   * `retryMs` and doubles with each round up to this, so that a short outage stays short.
   */
  everyMs: number;
  /** Tries after which a dependency that was up counts as down. */
  tries: number;
  /** Pause between those tries in milliseconds. */
  retryMs: number;
  /** Longest wait of a round for an already checked dependency, in milliseconds. Default 1000. */
  patienceMs?: number;
}

/** Parts that a watch works with. */
export interface DependencyWatchDeps {
  dependencies: readonly Dependency[];
  timing: WatchTiming;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  metrics: DependencyMetrics;
}

/** Result of one round of probes. */
export interface Round {
  report: GateReport;
  /** Errors of the probes of dependencies that are down and must fit. */
  errors: unknown[];
}

/** Probes all dependencies again and again and remembers which are up. */
export interface DependencyWatch {
  /**
   * One round. A dependency that was up and fails is tried again, `tries` times in all, before it counts as down. One
   * that is down is tried once, and so is one that was never probed unless it is `trusted` to have been up. A hanging
   * probe does not delay the others: after a while its last verdict is returned, and its new verdict counts in the
   * round in which it arrives.
   */
  round(ending?: AbortSignal, options?: { trusted: boolean }): Promise<Round>;
  /** Waits for the next round. Resolves early, without an error, when the signal fires. */
  pause(ending: AbortSignal): Promise<void>;
}

const jitter = 0.2;
const defaultPatienceMs = 1000;
/** Interval of the log messages about a closed gate, in milliseconds. */
const remindMs = 60_000;

/** Has probed nothing yet, and takes nothing for up. */
export function watchDependencies(deps: DependencyWatchDeps): DependencyWatch {
  const { dependencies, timing, clock, logger, metrics } = deps;
  const wasUp = new Map<string, boolean>();
  const verdicts = new Map<string, ProbedDependency>();
  const judging = new Map<string, Promise<ProbedDependency>>();
  let last: { open: boolean; loggedAt: number } | null = null;
  let closedRounds = 0;

  async function judge(
    dependency: Dependency,
    ending: AbortSignal | undefined,
    trusted: boolean,
  ): Promise<ProbedDependency> {
    const tries = (wasUp.get(dependency.name) ?? trusted) ? timing.tries : 1;
    for (let tried = 1; ; tried++) {
      const probed = await probeDependency(dependency, ending);
      metrics.probed(probed.report);
      if (probed.report.up || tried >= tries || ending?.aborted) return probed;
      await sleep(timing.retryMs, undefined, { signal: ending }).catch(() => undefined);
    }
  }

  async function verdictOf(
    dependency: Dependency,
    ending: AbortSignal | undefined,
    trusted: boolean,
  ): Promise<ProbedDependency> {
    const { name } = dependency;
    const former = verdicts.get(name);
    const next = judging.get(name) ?? judge(dependency, ending, trusted);
    judging.set(name, next);
    const patienceMs = timing.patienceMs ?? defaultPatienceMs;
    const verdict = await (former ? withTimeLimit(next, patienceMs, () => former) : next);
    if (verdict !== former) {
      judging.delete(name);
      verdicts.set(name, verdict);
    }
    return verdict;
  }

  function tell(report: GateReport): void {
    const now = clock.now();
    const isChange = last?.open !== report.open;
    if (!isChange && (report.open || now - (last?.loggedAt ?? 0) < remindMs)) return;
    if (isChange) metrics.moved(report.open);
    last = { open: report.open, loggedAt: now };
    if (report.open) logger.info({}, 'all dependencies available');
    else logger.info({ missing: missingOf(report) }, 'waiting for dependencies');
  }

  function reportDependency(report: DependencyReport): void {
    const before = wasUp.get(report.name);
    wasUp.set(report.name, report.up);
    metrics.judged(report);
    if (report.up === (before ?? true)) return;
    if (report.up) logger.info({ dependency: report.name }, 'dependency available again');
    else logger.warn({ dependency: report.name, reason: reasonOf(report) }, 'dependency unavailable');
  }

  return {
    async round(ending, { trusted } = { trusted: false }) {
      const probed = await Promise.all(dependencies.map((dependency) => verdictOf(dependency, ending, trusted)));
      const reports = probed.map(({ report }) => report);
      const open = reports.every(({ up, required }) => up || !required);
      closedRounds = open ? 0 : closedRounds + 1;
      const report = { open, at: new Date(clock.now()).toISOString(), dependencies: reports };
      if (!ending?.aborted) {
        for (const each of reports) reportDependency(each);
        metrics.gate(open);
        tell(report);
      }
      const decisive = probed.filter((each, index) => !each.report.up && dependencies[index]?.mustFit === true);
      return { report, errors: decisive.flatMap(({ errors }) => errors) };
    },
    async pause(ending) {
      const { retryMs: firstMs, everyMs: longestMs } = timing;
      const due = closedRounds === 0 ? longestMs : doublingPause(closedRounds - 1, { firstMs, longestMs });
      const ms = due * (1 + jitter * (deps.random() * 2 - 1));
      await sleep(ms, undefined, { signal: ending }).catch(() => undefined);
    },
  };
}

/** Reasons why the gate is closed, each as `name: reason`. Empty when it is open. */
export function missingOf(report: GateReport): string[] {
  return report.dependencies
    .filter(({ up, required }) => required && !up)
    .map((dependency) => `${dependency.name}: ${reasonOf(dependency)}`);
}

function reasonOf({ nodes }: DependencyReport): string {
  if (nodes.length === 1) return nodes[0]?.reason ?? '';
  return nodes.map(({ node, reason }) => `${node}: ${reason ?? 'works'}`).join('; ');
}

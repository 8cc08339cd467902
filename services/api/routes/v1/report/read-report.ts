import { refusalFacts, VigilError } from '#libs/domain';
import { type CallOptions, historyFullest, historySpread } from '#libs/messaging';
import type { Period, PeriodReport } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { callEngine, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { energyOf, energyStep } from './energy.ts';
import { promiseCounts } from './promise-counts.ts';

const mostReasons = 20;
const fullestHosts = 10;

/**
 * Reads the report of a period. Without a decision engine or data source the measured parts have the reason.
 * @param options of the requests to the decision engine
 * @throws the reason of `options.cancel.signal` when it fires
 */
export async function readReport(deps: RouteDeps, period: Period, options: CallOptions) {
  const { store, clock } = deps;
  const nowMs = clock.now();
  const start = Math.floor(period.from.getTime() / 1000);
  const end = Math.floor(Math.min(period.to.getTime(), nowMs) / 1000);
  const [report, promises, energy, fullest] = await Promise.all([
    store.periodReports.read(period, mostReasons),
    store.trends.promises(period.from, period.to),
    readEnergy(deps, { start, end }, options),
    readFullest(deps, { start, end }, options),
  ]);
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    made_at: new Date(nowMs).toISOString(),
    plans: plansBody(report),
    moves: { succeeded: report.moves, failed: report.failedMoves, hosts_freed: report.hostsFreed },
    promises: promiseCounts(promises),
    refusals: report.refusals.map(({ refusal, actions }) => ({
      reason: refusal,
      text: refusalFacts[refusal].text,
      actions,
    })),
    unstarted: report.unstarted,
    energy,
    fullest,
  };
}

/** Kept and removed plans by state, most first. */
function plansBody({ plans, removed }: PeriodReport) {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const states = [...new Set([...plans, ...removed].map(({ state }) => state))];
  const byState = states
    .map((state) => {
      const gone = sum(removed.filter((row) => row.state === state).map((row) => row.plans));
      const kept = plans.filter((row) => row.state === state);
      const paused = sum(kept.map((row) => row.paused));
      return { state, plans: sum(kept.map((row) => row.plans)) + gone, paused, removed: gone };
    })
    .sort((a, b) => b.plans - a.plans || (a.state < b.state ? -1 : 1));
  return {
    made: sum(byState.map((row) => row.plans)),
    by_state: byState,
    partial: sum(plans.map(({ partial }) => partial)),
    without_actions: sum(plans.map(({ withoutActions }) => withoutActions)),
  };
}

/** Seconds since 1970. */
interface Span {
  start: number;
  end: number;
}

async function readEnergy(deps: RouteDeps, { start, end }: Span, options: CallOptions) {
  const hours = Math.round(((end - start) / 3600) * 10) / 10;
  const request = { metric: 'host_power', start, end, step: energyStep(end - start) } as const;
  const call = callEngine(deps, historySpread, request, unavailableWithoutEngine, withId(options, 'energy'));
  const spread = await orReason(call, options);
  if ('reason' in spread) return { hours, kwh: null, measured_hours: 0, hosts: 0, error: spread.reason };
  return { hours, ...energyOf(spread, start), error: null };
}

async function readFullest(deps: RouteDeps, span: Span, options: CallOptions) {
  const request = { ...span, limit: fullestHosts };
  const call = callEngine(deps, historyFullest, request, unavailableWithoutEngine, withId(options, 'fullest'));
  const found = await orReason(call, options);
  if ('reason' in found) return { hosts: [], measured_hosts: 0, error: found.reason };
  return { hosts: found.hosts, measured_hosts: found.measured_hosts, error: found.load.error };
}

/** The options of one of several requests: the id of a cancel is unique. */
function withId({ cancel, ...options }: CallOptions, part: string): CallOptions {
  return cancel ? { ...options, cancel: { ...cancel, id: `${cancel.id}-${part}` } } : options;
}

/** The measured values, or the reason why the decision engine has none. Other errors are defects: they are thrown. */
async function orReason<Result extends object>(
  measured: Promise<Result>,
  { cancel }: CallOptions,
): Promise<Result | { reason: string }> {
  try {
    return await measured;
  } catch (error) {
    cancel?.signal.throwIfAborted();
    if (!(error instanceof VigilError)) throw error;
    return { reason: error.message };
  }
}

import { messageOf, refusalFacts } from '#libs/domain';
import { historyFullest, historySpread } from '#libs/messaging';
import type { Period, PeriodReport } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { callEngine, unavailableWithoutEngine } from '../../../http/call-engine.ts';
import { energyOf, energyStep } from './energy.ts';
import { promiseCounts } from './promise-counts.ts';

const mostReasons = 20;
const fullestHosts = 10;

/** Reads the report of a period. Without a decision engine or data source the measured parts have the reason. */
export async function readReport(deps: RouteDeps, period: Period) {
  const { store, clock } = deps;
  const nowMs = clock.now();
  const start = Math.floor(period.from.getTime() / 1000);
  const end = Math.floor(Math.min(period.to.getTime(), nowMs) / 1000);
  const [report, promises, energy, fullest] = await Promise.all([
    store.periodReports.read(period, mostReasons),
    store.trends.promises(period.from, period.to),
    readEnergy(deps, start, end),
    readFullest(deps, start, end),
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
      const kept = sum(plans.filter((row) => row.state === state).map((row) => row.plans));
      return { state, plans: kept + gone, removed: gone };
    })
    .sort((a, b) => b.plans - a.plans || (a.state < b.state ? -1 : 1));
  return {
    made: sum(byState.map((row) => row.plans)),
    by_state: byState,
    partial: sum(plans.map(({ partial }) => partial)),
    without_actions: sum(plans.map(({ withoutActions }) => withoutActions)),
  };
}

async function readEnergy(deps: RouteDeps, start: number, end: number) {
  const hours = Math.round(((end - start) / 3600) * 10) / 10;
  const request = { metric: 'host_power', start, end, step: energyStep(end - start) } as const;
  try {
    const spread = await callEngine(deps, historySpread, request, unavailableWithoutEngine);
    return { hours, ...energyOf(spread, start), error: null };
  } catch (error) {
    return { hours, kwh: null, measured_hours: 0, hosts: 0, error: messageOf(error) };
  }
}

async function readFullest(deps: RouteDeps, start: number, end: number) {
  const request = { start, end, limit: fullestHosts };
  try {
    const found = await callEngine(deps, historyFullest, request, unavailableWithoutEngine);
    return { hosts: found.hosts, measured_hosts: found.measured_hosts, error: found.load.error };
  } catch (error) {
    return { hosts: [], measured_hosts: 0, error: messageOf(error) };
  }
}

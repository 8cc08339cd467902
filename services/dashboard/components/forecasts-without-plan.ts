import type { LoadForecast } from '../api/cluster-types.ts';
import type { PlanRowDetail } from '../api/list-types.ts';
import type { DashboardData } from '../live/dashboard-context.tsx';
import { stripQuantity } from './strip-quantity.ts';

/** Maximum number of hosts with a forecast. Each needs one request to a decision engine. */
const most = 8;
const canStart: ReadonlySet<string> = new Set(['RECOMMENDED', 'PENDING']);

/**
 * Hosts that a plan relieves, those with the highest use before it first. None if the plan can no longer be started.
 */
export function relievedHosts(row: PlanRowDetail): string[] {
  if (!canStart.has(row.plan.state)) return [];
  const quantity = stripQuantity(row);
  const relieved = row.hosts.flatMap(({ hostname, shares }) => {
    const share = shares[quantity];
    return share !== undefined && share.after < share.before ? [{ hostname, before: share.before }] : [];
  });
  return relieved.sort((left, right) => right.before - left.before).map(({ hostname }) => hostname);
}

/** Path of the forecast of a host's CPU load for the next 24 hours, below `/internal`. */
export function hostForecastPath(hostname: string): string {
  return `forecasts/hosts/${encodeURIComponent(hostname)}?hours=24`;
}

/** The forecasts of the first of these hosts, as queries. */
export function forecastQueries({ internal }: Pick<DashboardData, 'internal'>, hosts: readonly string[]) {
  return hosts.slice(0, most).map((hostname) => ({
    queryKey: ['internal', hostForecastPath(hostname)],
    queryFn: () => internal<LoadForecast>(hostForecastPath(hostname)),
    retry: false,
  }));
}

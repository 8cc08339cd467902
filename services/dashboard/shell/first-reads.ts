import type { QueryClient } from '@tanstack/react-query';
import { dashboardPath } from '../api/base-url.ts';
import { forecastQueries, relievedHosts } from '../components/forecasts-without-plan.ts';
import type { DashboardData } from '../live/dashboard-context.tsx';
import { planActionsQuery, planPreviewQuery, planQuery, planRowQuery } from '../live/plan-queries.ts';
import { streamQuery } from '../live/stream-query.ts';
import { valuesInPath } from './values-in-path.ts';

type Query = Pick<ReturnType<typeof streamQuery>, 'queryKey'> & { queryFn: () => Promise<unknown> };

/**
 * Starts the reads that a large page shows first, while the code of the frame and of the page loads. The queries of
 * the page join them.
 */
export function startFirstReads(queries: QueryClient, dashboard: DashboardData): void {
  const path = location.pathname.slice(dashboardPath().length);
  const query = new URLSearchParams(location.search);
  const may = (rule: string) => dashboard.session.permissions.includes(rule);
  const start = (reads: readonly Query[]) => reads.forEach((read) => void queries.prefetchQuery(read));
  if (path === '/cluster' && may('internal:read')) {
    const hasChart = query.get('view') !== 'table' && !query.has('range');
    start(['cluster/summary', ...(hasChart ? ['history/spread'] : [])].map((read) => streamQuery(dashboard, read)));
  }
  const { uuid } = valuesInPath('plans/:uuid', path) ?? {};
  if (uuid === undefined) return;
  const hasMap = query.get('tab') === 'map' && may('data_model:get_all');
  start([
    ...(may('action_plan:get') ? [planQuery(dashboard, uuid)] : []),
    ...(may('action:get_all') ? [planRowQuery(dashboard, uuid), planActionsQuery(dashboard, uuid)] : []),
    ...(hasMap ? [planPreviewQuery(dashboard, uuid)] : []),
    ...(hasMap && may('internal:read') ? [streamQuery(dashboard, 'cluster/summary')] : []),
  ]);
  if (may('action:get_all') && may('internal:read')) startForecasts(queries, dashboard, uuid).catch(() => undefined);
}

/** Reads the forecasts of a plan as soon as its row names the hosts. */
async function startForecasts(queries: QueryClient, dashboard: DashboardData, uuid: string): Promise<void> {
  const row = await queries.fetchQuery(planRowQuery(dashboard, uuid));
  for (const read of forecastQueries(dashboard, relievedHosts(row))) void queries.prefetchQuery(read);
}

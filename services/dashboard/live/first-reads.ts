import type { QueryClient } from '@tanstack/react-query';
import { matchPath } from 'react-router';
import { dataOf, type VigilClient } from '#libs/client';
import { dashboardPath } from '../api/base-url.ts';
import type { PlanRowDetail } from '../api/list-types.ts';
import type { Dashboard } from './dashboard-context.tsx';
import type { LiveKind, LivePlan } from './live-entities.ts';
import { streamQuery } from './use-stream-query.ts';

type Query = Pick<ReturnType<typeof streamQuery>, 'queryKey'> & { queryFn: () => Promise<unknown> };

/**
 * Starts the reads that a large page shows first, while the frame and the page render. The queries of the page join
 * them.
 */
export function startFirstReads(queries: QueryClient, dashboard: Dashboard): void {
  const path = location.pathname.slice(dashboardPath().length);
  const query = new URLSearchParams(location.search);
  const may = (rule: string) => dashboard.session.permissions.includes(rule);
  const start = (reads: readonly Query[]) => reads.forEach((read) => void queries.prefetchQuery(read));
  if (path === '/cluster' && may('internal:read')) {
    const hasChart = query.get('view') !== 'table' && !query.has('range');
    start(['cluster/summary', ...(hasChart ? ['history/spread'] : [])].map((read) => streamQuery(dashboard, read)));
  }
  const { uuid } = matchPath('/plans/:uuid', path)?.params ?? {};
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
async function startForecasts(queries: QueryClient, dashboard: Dashboard, uuid: string): Promise<void> {
  const [{ forecastQueries, relievedHosts }, row] = await Promise.all([
    import('../components/forecasts-without-plan.ts'),
    queries.fetchQuery(planRowQuery(dashboard, uuid)),
  ]);
  for (const read of forecastQueries(dashboard, relievedHosts(row))) void queries.prefetchQuery(read);
}

/** A plan with the stream's fields of plans. */
export const planQuery = ({ client }: Dashboard, uuid: string) => ({
  queryKey: knownKey('action_plan', uuid),
  queryFn: () => readPlan(client, uuid),
});

/** The key of one entity that was read beside the stream. */
export const knownKey = (kind: LiveKind, uuid: string) => ['known', kind, uuid];

async function readPlan(client: VigilClient, uuid: string): Promise<LivePlan> {
  const params = { params: { path: { ident: uuid } } };
  const [plan, { progress, ...outcome }, approval] = await Promise.all([
    client.get('action_plans', uuid),
    dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', params)),
    dataOf(client.api.GET('/v1/action_plans/{ident}/approval', params)),
  ]);
  return { ...plan, outcome, progress, approval };
}

/** The row of a plan in lists, with its hosts. */
export const planRowQuery = ({ internal }: Dashboard, uuid: string) => ({
  queryKey: ['plan-row', uuid],
  queryFn: () => internal<PlanRowDetail>(`lists/action-plans/${uuid}`),
});

/** The actions of a plan. */
export const planActionsQuery = ({ client }: Dashboard, uuid: string) => ({
  queryKey: ['plan-actions', uuid],
  queryFn: () => client.list('actions', { filters: { action_plan_uuid: uuid } }),
});

/** The hosts of a plan before and after it. */
export const planPreviewQuery = ({ client }: Dashboard, uuid: string) => ({
  queryKey: ['plan-preview', uuid],
  queryFn: () => dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: uuid } } })),
});

import type { QueryClient } from '@tanstack/react-query';
import { matchPath } from 'react-router';
import { dataOf } from '#libs/client';
import { dashboardPath } from '../api/base-url.ts';
import type { PlanRowDetail } from '../api/list-types.ts';
import type { Dashboard } from './dashboard-context.tsx';
import { streamQuery } from './use-stream-query.ts';

type Query = Pick<ReturnType<typeof streamQuery>, 'queryKey'> & { queryFn: () => Promise<unknown> };

/**
 * Starts the reads that a large page shows first, while the frame and the page render. The queries of the page join
 * them.
 */
export function startFirstReads(queries: QueryClient, dashboard: Dashboard): void {
  const { pathname, search } = location;
  for (const query of firstReads(dashboard, pathname.slice(dashboardPath().length), new URLSearchParams(search)))
    void queries.prefetchQuery(query);
}

function firstReads(dashboard: Dashboard, path: string, query: URLSearchParams): Query[] {
  const may = (rule: string) => dashboard.session.permissions.includes(rule);
  if (path === '/cluster') {
    if (!may('internal:read')) return [];
    const hasChart = query.get('view') !== 'table' && !query.has('range');
    return ['cluster/summary', ...(hasChart ? ['history/spread'] : [])].map((read) => streamQuery(dashboard, read));
  }
  const { uuid } = matchPath('/plans/:uuid', path)?.params ?? {};
  if (uuid === undefined) return [];
  const hasMap = query.get('tab') === 'map' && may('data_model:get_all');
  return [
    ...(may('action:get_all') ? [planActionsQuery(dashboard, uuid), planRowQuery(dashboard, uuid)] : []),
    ...(hasMap ? [planPreviewQuery(dashboard, uuid)] : []),
    ...(hasMap && may('internal:read') ? [streamQuery(dashboard, 'cluster/summary')] : []),
  ];
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

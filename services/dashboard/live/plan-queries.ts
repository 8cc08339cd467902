import { dataOf } from '#libs/client';
import type { PlanRowDetail } from '../api/list-types.ts';
import type { Dashboard } from './dashboard-context.tsx';

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

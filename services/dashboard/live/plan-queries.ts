import { dataOf, type VigilClient } from '#libs/client';
import type { PlanRowDetail } from '../api/list-types.ts';
import type { DashboardData } from './dashboard-context.tsx';
import type { LiveKind, LiveKinds, LivePlan } from './live-entities.ts';

type Action = LiveKinds['action'];

/** A plan with the stream's fields of plans. */
export const planQuery = ({ client }: Pick<DashboardData, 'client'>, uuid: string) => ({
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
export const planRowQuery = ({ internal }: Pick<DashboardData, 'internal'>, uuid: string) => ({
  queryKey: ['plan-row', uuid],
  queryFn: () => internal<PlanRowDetail>(`lists/action-plans/${uuid}`),
});

/** The actions of a plan. */
export const planActionsQuery = ({ client }: Pick<DashboardData, 'client'>, uuid: string) => ({
  queryKey: ['plan-actions', uuid],
  queryFn: () => client.list('actions', { filters: { action_plan_uuid: uuid } }),
});

/** The hosts of a plan before and after it. */
export const planPreviewQuery = ({ client }: Pick<DashboardData, 'client'>, uuid: string) => ({
  queryKey: ['plan-preview', uuid],
  queryFn: () => dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: uuid } } })),
});

/**
 * The newest version of each read action, of those that the page has shown and those of the stream. The stream drops
 * ended actions some time after their plan.
 */
export function newestActions(read: readonly Action[], shown: readonly Action[], live: readonly Action[]): Action[] {
  const [before, reported] = [shown, live].map((versions) => new Map(versions.map((action) => [action.uuid, action])));
  return read.map((action) => newer(newer(action, before?.get(action.uuid)), reported?.get(action.uuid)));
}

/** The newer of two versions: the other one, unless the known one has changed since. */
function newer(known: Action, other: Action | undefined): Action {
  return other === undefined || (known.updated_at ?? '') > (other.updated_at ?? '') ? known : other;
}

import { useQueries } from '@tanstack/react-query';
import { type Action, dataOf } from '#libs/client';
import { useDashboard } from '../../api/dashboard-context.tsx';
import { millisOf } from '../../components/time.tsx';

/** When an action began and ended; null for what has not happened. */
export interface ActionTimes {
  startedAt: number | null;
  endedAt: number | null;
}

const begun = new Set(['ONGOING', 'SUCCEEDED', 'FAILED', 'CANCELLING', 'CANCELLED']);

/** Times of the actions that have begun, read once when one begins and once when it ends. */
export function useActionTimes(actions: readonly Action[]): {
  times: ReadonlyMap<string, ActionTimes>;
  /** Whether some are still being read. */
  isPending: boolean;
} {
  const { client } = useDashboard();
  return useQueries({
    queries: actions
      .filter((action) => begun.has(action.state))
      .map((action) => ({
        queryKey: ['action-reason', action.uuid, action.state],
        queryFn: () =>
          dataOf(client.api.GET('/v1/actions/{ident}/reason', { params: { path: { ident: action.uuid } } })),
      })),
    combine: (results) => ({
      isPending: results.some((result) => result.isPending),
      times: new Map(
        results.flatMap(({ data }) =>
          data
            ? [[data.action_uuid, { startedAt: millisOf(data.started_at), endedAt: millisOf(data.ended_at) }] as const]
            : [],
        ),
      ),
    }),
  });
}

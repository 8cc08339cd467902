import { useQuery } from '@tanstack/react-query';
import { dataOf } from '#libs/client';
import { millisOf } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useReadOnStream } from '../../live/use-read-on-stream.ts';

/** Start and end of an action in milliseconds. The end is null while it runs. */
export interface ActionTimes {
  startedAt: number;
  endedAt: number | null;
}

/** Times of the started actions of a plan, in start order. Read again when plans change. */
export function useActionTimes(planUuid: string): {
  times: ReadonlyMap<string, ActionTimes>;
  /** Whether the first read is running. */
  isPending: boolean;
  /** Set after a failure, while no times are known. */
  error: unknown;
  refetch: () => void;
} {
  const { client } = useDashboard();
  const queryKey = ['plan-timeline', planUuid];
  const { data, isPending, error, refetch } = useQuery({
    queryKey,
    // Starts and ends are followed only while a part of the page shows them.
    staleTime: 0,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/timeline', { params: { path: { ident: planUuid } } })),
  });
  // The plan has its number of actions by state, so each start or end changes it.
  useReadOnStream(queryKey, ['action_plan']);
  const started = (data?.actions ?? []).flatMap(({ action_uuid, started_at, ended_at }) => {
    const startedAt = millisOf(started_at);
    return startedAt === null ? [] : [[action_uuid, { startedAt, endedAt: millisOf(ended_at) }] as const];
  });
  return { times: new Map(started), isPending, error: data ? null : error, refetch: () => void refetch() };
}

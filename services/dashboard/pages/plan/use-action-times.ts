import { useQuery } from '@tanstack/react-query';
import { dataOf } from '#libs/client';
import { millisOf } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useReadOnStream } from '../../live/use-read-on-stream.ts';

/** When an action started and ended, in milliseconds. The end is null while it runs. */
export interface ActionTimes {
  startedAt: number;
  endedAt: number | null;
}

/** Times of the actions of a plan that have started, in that order. Read again when plans change. */
export function useActionTimes(planUuid: string): {
  times: ReadonlyMap<string, ActionTimes>;
  /** Whether they are read for the first time. */
  isPending: boolean;
} {
  const { client } = useDashboard();
  const queryKey = ['plan-timeline', planUuid];
  const { data, isPending } = useQuery({
    queryKey,
    // While no part of the page shows it, nothing follows what starts and ends.
    staleTime: 0,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/timeline', { params: { path: { ident: planUuid } } })),
  });
  // A plan shows how many of its actions are in which state, so it changes with each that starts or ends.
  useReadOnStream(queryKey, ['action_plan']);
  const begun = (data?.actions ?? []).flatMap(({ action_uuid, started_at, ended_at }) => {
    const startedAt = millisOf(started_at);
    return startedAt === null ? [] : [[action_uuid, { startedAt, endedAt: millisOf(ended_at) }] as const];
  });
  return { times: new Map(begun), isPending };
}

import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Dashboard, useDashboard } from './dashboard-context.tsx';
import type { LiveKind } from './live-entities.ts';
import type { LiveStore } from './live-store.ts';
import { streamQuery } from './stream-query.ts';
import { useReadOnStream } from './use-read-on-stream.ts';

interface StreamQueryOptions<Result> {
  settleMs?: number;
  isEnabled?: boolean;
  /** Whether a response includes the full state of the stream, where its position does not show it. */
  includes?: (result: Result, live: LiveStore) => boolean;
}

/**
 * Reads from the internal surface, and reads again when the stream brings a change of `kinds`. For data that derives
 * from entities, such as the cluster. Changes within `settleMs` (200) of each other cause one read. A full state that
 * the last read includes causes none. It reads nothing while `isEnabled` is false, for example without permission.
 */
export function useStreamQuery<Result>(
  path: string,
  kinds: readonly LiveKind[],
  { settleMs, isEnabled = true, includes }: StreamQueryOptions<Result> = {},
): UseQueryResult<Result> {
  const dashboard = useDashboard();
  const queries = useQueryClient();
  const { queryKey, queryFn } = streamQuery<Result>(dashboard, path);
  const isCurrent = () => {
    const { live, readPositions } = dashboard;
    const [position, known] = [live.position(), queries.getQueryData<Result>(queryKey)];
    if (position === null || known === undefined) return false;
    return position === readPositions.get(path) || includes?.(known, live) === true;
  };
  const query = useQuery({
    queryKey,
    queryFn,
    enabled: isEnabled,
    staleTime: () => (isCurrent() ? Number.POSITIVE_INFINITY : unseenStaleTime(dashboard)),
    placeholderData: (known) => known,
  });
  useReadOnStream(queryKey, isEnabled ? kinds : [], { settleMs, isCurrent });
  return query;
}

/**
 * How long a read is current that no part of a page has shown, in milliseconds: no subscription existed. A first read
 * is current until the first state of the stream, which causes another read.
 */
export function unseenStaleTime({ live }: Pick<Dashboard, 'live'>): number {
  const isStarting = live.status() === 'connecting' || live.status() === 'live';
  const hasState = live.kinds().some((kind) => live.isComplete(kind));
  return isStarting && live.kinds().length > 0 && !hasState ? Number.POSITIVE_INFINITY : 0;
}

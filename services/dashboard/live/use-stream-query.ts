import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useDashboard } from './dashboard-context.tsx';
import type { LiveKind } from './live-entities.ts';
import { useReadOnStream } from './use-read-on-stream.ts';

/**
 * Reads from the internal surface, and reads again when the stream brings a change of `kinds`. For data that derives
 * from entities, such as the cluster. Changes within `settleMs` (200) of each other cause one read. It reads nothing
 * while `isEnabled` is false, for example without permission.
 */
export function useStreamQuery<Result>(
  path: string,
  kinds: readonly LiveKind[],
  { settleMs, isEnabled = true }: { settleMs?: number; isEnabled?: boolean } = {},
): UseQueryResult<Result> {
  const { internal, readPositions } = useDashboard();
  const queryKey = ['internal', path];
  const query = useQuery({
    queryKey,
    queryFn: () => internal<Result>(path, { onPosition: (position) => readPositions.set(path, position) }),
    enabled: isEnabled,
    // No subscription existed while no part of a page showed it.
    staleTime: 0,
    placeholderData: (known) => known,
  });
  useReadOnStream(queryKey, isEnabled ? kinds : [], {
    settleMs,
    positionOf: () => readPositions.get(path) ?? null,
  });
  return query;
}

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useDashboard } from './dashboard-context.tsx';
import type { LiveKind } from './live-entities.ts';
import { useOnStream } from './use-on-stream.ts';

/**
 * Reads from the internal surface, and reads again when the stream brings a change of `kinds`: for what is derived from
 * entities but is none itself, such as the cluster. Changes within `settleMs` (200) of each other make it read once.
 */
export function useStreamQuery<Answer>(
  path: string,
  kinds: readonly LiveKind[],
  { settleMs }: { settleMs?: number } = {},
): UseQueryResult<Answer> {
  const { internal } = useDashboard();
  const query = useQuery({
    queryKey: ['internal', path],
    queryFn: () => internal<Answer>(path),
    placeholderData: (known) => known,
  });
  // Two parts of a page that show the same ask once.
  useOnStream(kinds, () => query.refetch({ cancelRefetch: false }), settleMs);
  return query;
}

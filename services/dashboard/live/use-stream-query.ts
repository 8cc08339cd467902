import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useDashboard } from '../api/dashboard-context.tsx';

/** Shortest time between two readings of the same thing. */
const pauseMs = 5000;

/**
 * Reads from the internal surface, and reads again when the stream says that something has changed: for what is derived
 * from entities but is none itself, such as the cluster.
 */
export function useStreamQuery<Answer>(path: string, options: { enabled?: boolean } = {}): UseQueryResult<Answer> {
  const { internal, live } = useDashboard();
  const queries = useQueryClient();
  const lastAt = useRef(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = live.subscribe(() => {
      timer ??= setTimeout(
        () => {
          timer = null;
          lastAt.current = Date.now();
          void queries.invalidateQueries({ queryKey: ['internal', path] });
        },
        Math.max(200, lastAt.current + pauseMs - Date.now()),
      );
    });
    return () => {
      unsubscribe();
      if (timer) clearTimeout(timer);
    };
  }, [live, queries, path]);
  return useQuery({
    queryKey: ['internal', path],
    queryFn: () => internal<Answer>(path),
    enabled: options.enabled ?? true,
    placeholderData: (known) => known,
  });
}

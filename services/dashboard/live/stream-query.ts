import type { DashboardData } from './dashboard-context.tsx';

/** A read of the internal surface, as its query. */
export function streamQuery<Result>(
  { internal, readPositions }: Pick<DashboardData, 'internal' | 'readPositions'>,
  path: string,
) {
  return {
    queryKey: ['internal', path],
    queryFn: () => internal<Result>(path, { onPosition: (position) => readPositions.set(path, position) }),
  };
}

import type { HistorySpread } from '../../api/cluster-types.ts';
import { useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { timeLineDays } from './moments.ts';

const daySeconds = 86_400;
/** Steps of both readings in seconds, within the limit of points of the API. */
const [coarse, fine] = [28_800, 300];

/**
 * The first moment of the time line with measured loads, in milliseconds since 1970. The first reading finds the third
 * of a day, the second one the 5 minutes within it. Null: none is known.
 */
export function useFirstSample(nowMs: number): { isPending: boolean; atMs: number | null } {
  const mayMeasure = useMay('internal:read');
  const end = Math.ceil(nowMs / 1000 / fine) * fine;
  const thirds = useSteps({ start: end - timeLineDays * daySeconds, end, step: coarse }, mayMeasure);
  const third = firstOf(thirds.data);
  const steps = useSteps(
    { start: (third ?? end) - coarse, end: Math.min(third ?? end, end), step: fine },
    third !== null,
  );
  const at = firstOf(steps.data) ?? third;
  return { isPending: thirds.isLoading || steps.isLoading, atMs: at === null ? null : at * 1000 };
}

function useSteps({ start, end, step }: { start: number; end: number; step: number }, isEnabled: boolean) {
  const path = `history/spread?metric=host_cpu_usage&start=${start}&end=${end}&step=${step}`;
  return useStreamQuery<HistorySpread>(path, [], { isEnabled });
}

function firstOf(spread: HistorySpread | undefined): number | null {
  return spread?.at[0] ?? null;
}

import { Progress, ProgressMeasureLocation } from '@patternfly/react-core';
import { useMemo } from 'react';
import { useLiveEntities } from '../live/use-live.ts';

/** How many actions a plan has, how many of them have ended, and how many of those in which way. */
export interface PlanCounts {
  total: number;
  ended: number;
  failed: number;
  cancelled: number;
  skipped: number;
}

/** Of a plan whose actions are not known. */
export const noProgress: PlanCounts = { total: 0, ended: 0, failed: 0, cancelled: 0, skipped: 0 };

const endings: Readonly<Record<string, 'failed' | 'cancelled' | 'skipped' | null>> = {
  SUCCEEDED: null,
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  SKIPPED: 'skipped',
};

/** How far each plan is, by its uuid. */
export function useProgressByPlan(): ReadonlyMap<string, PlanCounts> {
  const actions = useLiveEntities('action');
  return useMemo(() => {
    const byPlan = new Map<string, PlanCounts>();
    for (const action of actions) {
      const key = action.action_plan_uuid ?? '';
      const progress = byPlan.get(key) ?? { ...noProgress };
      progress.total += 1;
      const ending = endings[action.state];
      if (ending !== undefined) progress.ended += 1;
      if (ending) progress[ending] += 1;
      byPlan.set(key, progress);
    }
    return byPlan;
  }, [actions]);
}

/** A bar with the ended actions of a plan. */
export function PlanProgress({ progress }: { progress: PlanCounts }) {
  const { total, ended: done, failed, cancelled, skipped } = progress;
  if (total === 0) return <>no actions</>;
  const otherwise = [
    failed > 0 && `${failed} failed`,
    cancelled > 0 && `${cancelled} cancelled`,
    skipped > 0 && `${skipped} skipped`,
  ];
  const text = [`${done} of ${total}`, ...otherwise.filter(Boolean)].join(', ');
  return (
    <Progress
      aria-label="Actions that have ended"
      value={done}
      max={total}
      label={text}
      valueText={text}
      measureLocation={ProgressMeasureLocation.outside}
      size="sm"
      {...(failed > 0
        ? { variant: 'danger' as const }
        : done === total && cancelled === 0
          ? { variant: 'success' as const }
          : {})}
      className="vigil-progress"
    />
  );
}

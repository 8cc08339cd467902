import { Progress, ProgressMeasureLocation } from '@patternfly/react-core';
import { useMemo } from 'react';
import { useLiveEntities } from '../live/use-live.ts';

const ended = new Set(['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED']);

/** How many of a plan's actions have ended and failed, by plan. */
export function useProgressByPlan(): ReadonlyMap<string, { total: number; ended: number; failed: number }> {
  const actions = useLiveEntities('action');
  return useMemo(() => {
    const byPlan = new Map<string, { total: number; ended: number; failed: number }>();
    for (const action of actions) {
      const key = action.action_plan_uuid ?? '';
      const progress = byPlan.get(key) ?? { total: 0, ended: 0, failed: 0 };
      progress.total += 1;
      if (ended.has(action.state)) progress.ended += 1;
      if (action.state === 'FAILED') progress.failed += 1;
      byPlan.set(key, progress);
    }
    return byPlan;
  }, [actions]);
}

/** A bar with the ended actions of a plan. */
export function PlanProgress({ total, ended: done, failed }: { total: number; ended: number; failed: number }) {
  if (total === 0) return <>no actions</>;
  return (
    <Progress
      aria-label="Actions that have ended"
      value={done}
      max={total}
      label={`${done} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`}
      valueText={`${done} of ${total}`}
      measureLocation={ProgressMeasureLocation.outside}
      size="sm"
      {...(failed > 0 ? { variant: 'danger' as const } : done === total ? { variant: 'success' as const } : {})}
      className="vigil-progress"
    />
  );
}

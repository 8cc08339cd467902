import { Alert } from '@patternfly/react-core';
import type { PlanRowList } from '../../api/list-types.ts';
import { PlanLink } from '../../components/links.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { fullTime } from '../../components/time.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';

/** What an operator must know of a plan beside its state: that it waits, and for what. */
export function PlanNotes({ plan }: { plan: LivePlan }) {
  const path = `lists/action-plans?undoes=${plan.uuid}`;
  const undoneBy = useStreamQuery<PlanRowList>(path, ['action_plan'], { settleMs: 1_000 }).data?.plans ?? [];
  const { paused, hold_until: heldUntil, rolls_back: undone } = plan.outcome ?? {};
  return (
    <>
      {paused && <Alert isInline variant="warning" title="Paused: no further action begins" />}
      {heldUntil && plan.state === 'PENDING' && (
        <Alert isInline variant="info" title={`Waits for its maintenance window, ${fullTime(heldUntil)}`} />
      )}
      {undone && (
        <Alert isInline variant="info" title="This plan undoes another">
          Action plan <PlanLink uuid={undone} />
        </Alert>
      )}
      {undoneBy.map((other) => (
        <Alert key={other.uuid} isInline variant="info" title="A rollback of this plan">
          <PlanLink uuid={other.uuid} undone={null} /> <PlanState plan={other} />
        </Alert>
      ))}
    </>
  );
}

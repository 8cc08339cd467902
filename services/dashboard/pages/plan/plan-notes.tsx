import type { PlanRowList } from '../../api/list-types.ts';
import { PlanLink } from '../../components/links.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { Schedule } from '../../components/schedule.tsx';
import { durationText, fullTime, zoneName } from '../../components/time.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { repeatedWindow } from './repeated-window.ts';
import { useNow } from './use-now.ts';

/** States in which the window of a plan still matters. */
const started = new Set(['PENDING', 'ONGOING', 'SUSPENDED']);

/** Notes beside the state of a plan: pauses, waits and their reasons. */
export function PlanNotes({ plan }: { plan: LivePlan }) {
  const path = `lists/action-plans?undoes=${plan.uuid}`;
  const undoneBy = useStreamQuery<PlanRowList>(path, ['action_plan'], { settleMs: 1_000 }).data?.plans ?? [];
  const { paused, hold_until: heldUntil, rolls_back: undone } = plan.outcome ?? {};
  return (
    <>
      {paused && <Alert isInline variant="warning" title={text('plan.isPaused')} />}
      {heldUntil && plan.state === 'PENDING' && (
        <Alert isInline variant="info" title={text('plan.waitsForWindow', { time: fullTime(heldUntil) })} />
      )}
      {started.has(plan.state) && <WindowNote outcome={plan.outcome} />}
      {undone && (
        <Alert isInline variant="info" title={text('plan.rollsBack')}>
          {richText('plan.link', { plan: <PlanLink uuid={undone} /> })}
        </Alert>
      )}
      {undoneBy.map((other) => (
        <Alert key={other.uuid} isInline variant="info" title={text('plan.rolledBack')}>
          <PlanLink uuid={other.uuid} undone={null} /> <PlanState plan={other} />
        </Alert>
      ))}
    </>
  );
}

/** The repeated window of a plan: its cron expression with its zone, and its next occurrence in the page's zone. */
function WindowNote({ outcome }: { outcome: LivePlan['outcome'] }) {
  const now = useNow(Boolean(outcome?.window_cron));
  const window = repeatedWindow(outcome, new Date(now));
  if (window === null) return null;
  const { cron, zone, seconds, next } = window;
  return (
    <Alert
      isInline
      variant="info"
      title={richText('plan.repeatedWindow', {
        schedule: <Schedule interval={cron} timeZone={zone} />,
        length: durationText(seconds),
      })}
      data-testid="repeated-window"
    >
      {next
        ? text('plan.nextWindow', { zone: zoneName(), start: fullTime(next.start), end: fullTime(next.end) })
        : text('plan.noWindow')}
    </Alert>
  );
}

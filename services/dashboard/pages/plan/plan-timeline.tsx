import { useState } from 'react';
import type { Action } from '#libs/client';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { durationText, fullTime } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';
import { subjectOf, typeText } from './action-text.ts';
import { timelineTicks } from './timeline-ticks.ts';
import { useActionTimes } from './use-action-times.ts';
import { useNow } from './use-now.ts';

const maxRows = 300;
const rowHeight = 26;
const chartWidth = 1000;

/** Gantt chart of the execution: a bar from the start to the end of each action that has started. */
export function PlanTimeline({ planUuid, actions }: { planUuid: string; actions: readonly Action[] }) {
  const { times, isPending, error, refetch } = useActionTimes(planUuid);
  // All bars appear together. Later, a starting or ending action does not hide the others.
  const [isDrawn, setDrawn] = useState(false);
  if (!isPending && !isDrawn) setDrawn(true);
  const isRunning = actions.some((action) => action.state === 'ONGOING' || action.state === 'CANCELLING');
  const now = useNow(isRunning);
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  const started = [...times].flatMap(([uuid, { startedAt, endedAt }]) => {
    const action = byUuid.get(uuid);
    return action ? [{ action, start: startedAt, end: Math.max(startedAt, endedAt ?? now) }] : [];
  });
  const rows = started.slice(0, maxRows);
  if (!isDrawn) return <Loading what={text('plan.timeline')} as="drawing" />;
  if (error) return <Failure title={text('plan.timesUnreadable')} error={error} onRetry={refetch} />;
  if (rows.length === 0) return <Nothing title={text('plan.nothingStarted')} />;
  const first = Math.min(...rows.map((row) => row.start));
  const last = Math.max(...rows.map((row) => row.end), first + 1000);
  const scale = chartWidth / (last - first);
  const ticks = timelineTicks((last - first) / 1000);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="vigil-timeline" aria-label={text('plan.timelineLabel')} aria-busy={isPending} tabIndex={0}>
      <p className="vigil-lead">
        {text('plan.timelineSum', {
          count: rows.length,
          time: durationText((last - first) / 1000),
          at: fullTime(first),
          more: started.length > maxRows ? text('plan.timelineFirst', { count: started.length }) : '',
        })}
      </p>
      <div className="vigil-timeline-axis" aria-hidden="true">
        <div className="vigil-timeline-times">
          {ticks.map((seconds) => (
            <span key={seconds} style={{ insetInlineStart: `${(seconds * 100_000) / (last - first)}%` }}>
              {seconds === 0 ? '0' : durationText(seconds)}
            </span>
          ))}
        </div>
      </div>
      <ol>
        {rows.map(({ action, start, end }) => (
          <li key={action.uuid}>
            <span className="vigil-timeline-name">
              {typeText(action.action_type)} {subjectOf(action)}
            </span>
            <svg
              viewBox={`0 0 ${chartWidth} ${rowHeight}`}
              preserveAspectRatio="none"
              className="vigil-timeline-bar"
              role="img"
              aria-label={text('plan.timelineBar', {
                time: durationText((end - start) / 1000),
                after: durationText((start - first) / 1000),
              })}
            >
              {ticks.map((seconds) => (
                <line
                  key={seconds}
                  x1={seconds * 1000 * scale}
                  x2={seconds * 1000 * scale}
                  y2={rowHeight}
                  className="vigil-timeline-tick"
                />
              ))}
              <rect
                x={(start - first) * scale}
                y="5"
                width={Math.max(3, (end - start) * scale)}
                height={rowHeight - 10}
                className={`vigil-bar vigil-bar-${action.state.toLowerCase()}`}
              />
            </svg>
            <span className="vigil-timeline-length">{durationText((end - start) / 1000)}</span>
            <StateLabel state={action.state} />
          </li>
        ))}
      </ol>
    </section>
  );
}

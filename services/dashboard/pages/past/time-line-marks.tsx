import type { PlanEnd } from '../../api/find-types.ts';
import { shortId } from '../../components/links.tsx';
import { fullTime } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';
import { placeOf, type TimeLine } from './moments.ts';

const results = ['SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

interface TimeLineMarksProps {
  line: TimeLine;
  plans: readonly PlanEnd[];
}

/** Each plan at its end on the time line, with its result as colour, shape and text. */
export function TimeLineMarks({ line, plans }: TimeLineMarksProps) {
  if (plans.length === 0) return null;
  return (
    <ul className="vigil-time-line-marks" aria-label={text('past.plans')}>
      {plans.map(({ uuid, state, ended_at: at }) => {
        const place = placeOf(line, at);
        if (place === null) return null;
        const label = text('past.mark', { plan: shortId(uuid), state, time: fullTime(at) });
        return (
          <li key={uuid} style={{ insetInlineStart: `${place}%` }}>
            <ResultMark state={state} label={label} />
          </li>
        );
      })}
    </ul>
  );
}

/** Number of ended plans by result, beside its mark. */
export function MarkLegend({ plans }: Pick<TimeLineMarksProps, 'plans'>) {
  const counts = results.map((result) => [result, plans.filter(({ state }) => state === result).length] as const);
  return (
    <p className="vigil-legend" data-testid="past-legend">
      {counts.map(([result, count]) =>
        count === 0 ? null : (
          <span key={result} className="vigil-heat-note">
            <ResultMark state={result} /> {text(`past.count.${result}`, { count })}
          </span>
        ),
      )}
    </p>
  );
}

/** A circle for success, a diamond for failure, an empty square for cancellation. Without a label it is decoration. */
function ResultMark({ state, label }: { state: PlanEnd['state']; label?: string }) {
  if (label === undefined) return <span className="vigil-result-mark" data-state={state} aria-hidden="true" />;
  return (
    <span
      className="vigil-result-mark"
      data-state={state}
      role="img"
      aria-label={label}
      title={label}
      data-testid="past-mark"
    />
  );
}

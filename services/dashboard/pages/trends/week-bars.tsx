import { useChartCursor } from '../../components/use-chart-cursor.ts';
import { text } from '../../texts/texts.ts';
import './week-bars.css';

interface Week {
  /** Its Monday. */
  week: string;
  value: number;
  /** Shown with the value. */
  note: string;
}

interface WeekBarsProps {
  title: string;
  weeks: readonly Week[];
}

const height = 120;
const slot = 20;

/**
 * A bar for each week, the last one is the current week. The text below describes the bar under the pointer, or the one
 * selected by arrow key.
 */
export function WeekBars({ title, weeks }: WeekBarsProps) {
  const { index, pointTo, onKeyDown, onBlur } = useChartCursor(weeks.length);
  const most = Math.max(...weeks.map(({ value }) => value));
  if (most <= 0) return <p className="vigil-subtle">{text('trends.nothing')}</p>;
  const [first, last] = [weeks[0], weeks.at(-1)];
  const total = weeks.reduce((sum, { value }) => sum + value, 0);
  const now = last?.value ?? 0;
  const shown = index ?? weeks.length - 1;
  return (
    <figure className="vigil-weeks">
      <div
        role="slider"
        tabIndex={0}
        aria-label={text('trends.barsLabel', { title, total, most, last: now })}
        aria-valuemin={0}
        aria-valuemax={weeks.length - 1}
        aria-valuenow={shown}
        aria-valuetext={weekText(weeks[shown])}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        onPointerLeave={() => pointTo(null)}
      >
        <svg
          viewBox={`0 0 ${weeks.length * slot} ${height + 14}`}
          preserveAspectRatio="none"
          className="vigil-weeks-bars"
          aria-hidden="true"
        >
          {weeks.map(({ week, value }, at) => {
            const length = value === 0 ? 1 : Math.max(3, (height * value) / most);
            return (
              <rect
                key={week}
                x={at * slot + 2}
                y={height + 14 - length}
                width={slot - 4}
                height={length}
                className={`vigil-weeks-bar${at === index ? ' vigil-weeks-read' : ''}`}
                onPointerEnter={() => pointTo(at)}
              />
            );
          })}
        </svg>
      </div>
      <figcaption className="vigil-subtle">
        {index === null
          ? text('trends.barsHint', { first: first?.week ?? '', last: last?.week ?? '', total, most, now })
          : weekText(weeks[index])}
      </figcaption>
    </figure>
  );
}

function weekText(week: Week | undefined): string {
  if (!week) return '';
  return text('trends.bar', { week: week.week, value: week.value, note: week.note && `, ${week.note}` });
}

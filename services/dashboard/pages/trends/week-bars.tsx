import { wholeTicks } from '../../components/chart-axes.ts';
import { roundedText } from '../../components/number-text.ts';
import { useChartCursor } from '../../components/use-chart-cursor.ts';
import { text } from '../../texts/texts.ts';
import { labelledWeeks, weekDate, weekLabel } from './week-axis.ts';
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
  /** Unit of the values, above their axis. */
  unit: string;
  weeks: readonly Week[];
}

const height = 120;
const slot = 20;
/** Least height of a bar with a value. */
const leastHeight = 3;

/**
 * A bar for each week, the last one is the current week. The text below describes the bar under the pointer, or the one
 * selected by arrow key.
 */
export function WeekBars({ title, unit, weeks }: WeekBarsProps) {
  const { index, pointTo, onKeyDown, onBlur } = useChartCursor(weeks.length);
  const most = Math.max(...weeks.map(({ value }) => value));
  if (most <= 0) return <p className="vigil-subtle">{text('trends.nothing')}</p>;
  const ticks = wholeTicks(most);
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
        <div className="vigil-weeks-chart">
          <span className="vigil-weeks-unit">{unit}</span>
          <div className="vigil-weeks-values">
            {ticks.toReversed().map((tick) => (
              <span key={tick}>{roundedText(tick)}</span>
            ))}
          </div>
          <Bars weeks={weeks} ticks={ticks} read={index} onPoint={pointTo} />
          <div className="vigil-weeks-dates">
            {labelledWeeks(weeks.length).map((place) => (
              <span key={place} style={{ insetInlineStart: `${(100 * (place + 0.5)) / weeks.length}%` }}>
                {weekLabel(weeks[place]?.week ?? '')}
              </span>
            ))}
          </div>
        </div>
      </div>
      <figcaption className="vigil-subtle">
        {index === null
          ? text('trends.barsHint', {
              first: weekDate(first?.week ?? ''),
              last: weekDate(last?.week ?? ''),
              ...{ total, most, now },
            })
          : weekText(weeks[index])}
      </figcaption>
    </figure>
  );
}

interface BarsProps {
  weeks: readonly Week[];
  /** Values with a line, from 0 to the top. */
  ticks: readonly number[];
  /** Place of the described bar. */
  read: number | null;
  onPoint: (place: number) => void;
}

function Bars({ weeks, ticks, read, onPoint }: BarsProps) {
  const top = ticks.at(-1) ?? 1;
  const width = weeks.length * slot;
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(leastHeight, (height * value) / top));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="vigil-weeks-bars" aria-hidden="true">
      {ticks.map((tick) => (
        <line
          key={tick}
          x1={0}
          x2={width}
          y1={height - heightOf(tick)}
          y2={height - heightOf(tick)}
          className="vigil-weeks-line"
        />
      ))}
      {weeks.map(({ week, value }, place) => (
        <g key={week} onPointerEnter={() => onPoint(place)}>
          <rect x={place * slot} y={0} width={slot} height={height} className="vigil-weeks-slot" />
          <rect
            x={place * slot + 2}
            y={height - heightOf(value)}
            width={slot - 4}
            height={heightOf(value)}
            className={`vigil-weeks-bar${place === read ? ' vigil-weeks-read' : ''}`}
          />
        </g>
      ))}
    </svg>
  );
}

function weekText(week: Week | undefined): string {
  if (!week) return '';
  return text('trends.bar', { week: weekDate(week.week), value: week.value, note: week.note && `, ${week.note}` });
}

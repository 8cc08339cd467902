import { Nothing } from '../../components/states.tsx';
import './week-bars.css';

interface WeekBarsProps {
  title: string;
  weeks: readonly {
    /** Its Monday. */
    week: string;
    value: number;
    /** Shown with the value. */
    note: string;
  }[];
}

const height = 120;
const slot = 20;

/** A bar for each week, with its number; the last one is this week. */
export function WeekBars({ title, weeks }: WeekBarsProps) {
  const most = Math.max(...weeks.map(({ value }) => value));
  if (most <= 0) return <Nothing title="Nothing in these weeks" />;
  const [first, last] = [weeks[0], weeks.at(-1)];
  const total = weeks.reduce((sum, { value }) => sum + value, 0);
  return (
    <figure className="vigil-weeks">
      <svg
        viewBox={`0 0 ${weeks.length * slot} ${height + 14}`}
        preserveAspectRatio="none"
        className="vigil-weeks-bars"
        role="img"
        aria-label={`${title}: ${total} in all, ${most} at most, ${last?.value} this week`}
      >
        {weeks.map(({ week, value, note }, at) => {
          const length = value === 0 ? 1 : Math.max(3, (height * value) / most);
          return (
            <rect
              key={week}
              x={at * slot + 2}
              y={height + 14 - length}
              width={slot - 4}
              height={length}
              className="vigil-weeks-bar"
            >
              <title>{`Week of ${week}: ${value}${note === '' ? '' : `, ${note}`}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="vigil-subtle">
        Weeks of {first?.week} to {last?.week} (UTC). {total.toLocaleString('en')} in all, {most.toLocaleString('en')}{' '}
        in the busiest week, {last?.value.toLocaleString('en')} this week.
      </figcaption>
    </figure>
  );
}

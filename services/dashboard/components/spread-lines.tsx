import type { HistorySpread } from '../api/cluster-types.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { text } from '../texts/texts.ts';
import { ticksTo, topOf } from './chart-axes.ts';
import { numberText } from './number-text.ts';
import { Failure, Loading, Nothing } from './states.tsx';
import { timeLocale } from './time.tsx';

/** Size of the plot, and the space for its labels, in units of the drawing. */
const plot = { width: 420, height: 150 } as const;
const margin = { left: 48, right: 24, top: 10, bottom: 26 } as const;

/**
 * CPU load over the hosts in the last hour as plain lines: the overview needs no code for charts. The page of the
 * cluster has the chart whose values can be read.
 */
export function SpreadLines() {
  const { data, isPending, error } = useStreamQuery<HistorySpread>('history/spread', ['data_model']);
  if (isPending) return <Loading what={text('charts.cpuLoad')} as="drawing" />;
  if (!data) return <Failure title={text('charts.unreadable')} error={error} />;
  if (data.at.length === 0) return <Nothing title={text('charts.nothing')} />;
  return <Lines {...data} />;
}

function Lines({ at, unit, max, mean, deviation }: HistorySpread) {
  const lines = [
    { name: text('charts.most'), className: 'vigil-spread-most', values: max },
    { name: text('charts.mean'), className: 'vigil-spread-mean', values: mean },
    { name: text('charts.deviation'), className: 'vigil-spread-deviation', values: deviation },
  ];
  const top = topOf(Math.max(0, ...lines.flatMap(({ values }) => values.filter((value) => value !== null))));
  const [from = 0, to = from] = [at[0], at.at(-1)];
  const x = (time: number) => (to > from ? ((time - from) / (to - from)) * plot.width : plot.width / 2);
  const y = (value: number) => plot.height - (value / top) * plot.height;
  const last = lines.map(({ name, values }) => `${name} ${numberText(values.at(-1), unit)}`).join(', ');
  const size = [plot.width + margin.left + margin.right, plot.height + margin.top + margin.bottom];
  const moments = to > from ? [from, (from + to) / 2, to] : [from];
  return (
    <figure className="vigil-spread">
      <svg
        viewBox={[-margin.left, -margin.top, ...size].join(' ')}
        role="img"
        aria-label={`${text('charts.cpuLoad')}: ${last}`}
      >
        {ticksTo(top).map((value) => (
          <g key={value}>
            <line x1={0} x2={plot.width} y1={y(value)} y2={y(value)} />
            <text x={-8} y={y(value) + 4} textAnchor="end">
              {numberText(value, unit)}
            </text>
          </g>
        ))}
        {moments.map((moment) => (
          <text key={moment} x={x(moment)} y={plot.height + 20} textAnchor="middle">
            {hourText(moment)}
          </text>
        ))}
        {lines.map(({ name, className, values }) => (
          <path key={name} className={className} d={pathOf(at.map(x), values, y)} />
        ))}
      </svg>
      <figcaption>
        {lines.map(({ name, className, values }) => (
          <span key={name} className={className}>
            {name} {numberText(values.at(-1), unit)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** A line with gaps where nothing was measured. A single point becomes a dot. */
function pathOf(xs: readonly number[], values: readonly (number | null)[], y: (value: number) => number): string {
  let isDrawing = false;
  return xs
    .map((x, place) => {
      const value = values[place];
      const command = isDrawing ? 'L' : 'M';
      isDrawing = typeof value === 'number';
      if (typeof value !== 'number') return '';
      const point = `${x.toFixed(1)} ${y(value).toFixed(1)}`;
      return command === 'M' ? `M${point}h0` : `L${point}`;
    })
    .join('');
}

function hourText(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString(timeLocale(), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type TimeWindow, ticksTo, timeRange, topOf } from './chart-axes.ts';
import { roundedText } from './number-text.ts';
import { timeLocale } from './time.tsx';

/** A line of a chart. */
export interface ChartLine {
  label: string;
  /** One of the colours of `maps.css`, such as `--vigil-line-1`. */
  color: string;
  values: readonly (number | null)[];
  /** Filled down to the axis with the colour of the same name and `-fill`. */
  isFilled?: boolean;
}

/** The data of a chart. */
interface ChartData {
  unit: string;
  /** Seconds since 1970. */
  at: readonly number[];
  lines: readonly ChartLine[];
  height: number;
  /** The requested time, which is the axis of a single point. */
  requested?: TimeWindow | undefined;
}

/** Callbacks of a chart. */
interface ChartListener {
  /** Index of the value under the pointer. Null: none. */
  onIndex: (index: number | null) => void;
  /** The chart is drawn, shortly after its creation. */
  onReady: (chart: uPlot) => void;
}

/** Draws lines over time into an element, in the colours of the theme. */
export function drawChart(
  element: HTMLElement,
  { unit, at, lines, height, requested }: ChartData,
  given: ChartListener,
): uPlot {
  // V8 keeps the newest chart, also a destroyed one: uPlot defines a getter on it. The listener would keep its page.
  let listener: ChartListener | null = given;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const subtle = color('--pf-t--global--text--color--subtle');
  const grid = { stroke: color('--pf-t--global--border--color--default'), width: 0.5 };
  const axis = { stroke: subtle, grid, ticks: grid, font: '12px RedHatText, sans-serif' };
  return new uPlot(
    {
      width: element.clientWidth || 600,
      height,
      legend: { live: false },
      hooks: {
        setCursor: [({ cursor }) => listener?.onIndex(cursor.idx ?? null)],
        ready: [(chart) => listener?.onReady(chart)],
        destroy: [
          () => {
            listener = null;
          },
        ],
      },
      series: [
        {},
        ...lines.map((line) => ({
          label: line.label,
          stroke: color(line.color),
          width: 2,
          ...(line.isFilled ? { fill: color(`${line.color}-fill`) } : {}),
        })),
      ],
      axes: [
        {
          ...axis,
          incrs: [...tickSeconds],
          space: 60,
          values: (_chart, times, _axis, _space, step) => times.map((at) => tickText(at, step)),
        },
        {
          ...axis,
          size: (_chart, values) => axisWidth(values),
          splits: (_chart, _axis, _min, max) => ticksTo(max),
          values: (_chart, values) => values.map((value) => `${roundedText(value, 2)} ${unit}`),
        },
      ],
      scales: {
        x: { range: (_chart, min, max) => timeRange(at, [min, max], requested) },
        y: { range: (_chart, _min, max) => [0, topOf(max ?? 0)] },
      },
    },
    [[...at], ...lines.map((line) => [...line.values])],
    element,
  );
}

/** Pixels for the widest label in the font of the axis. uPlot draws no labels in its first round, and passes null. */
function axisWidth(labels: readonly string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(60, 20 + 7 * longest);
}

const daySeconds = 86_400;
/** Whole minutes, so that no two ticks have the same text. Whole days over days. */
const tickSeconds = [
  ...[60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200],
  ...[1, 2, 7, 14, 28, 84].map((days) => days * daySeconds),
] as const;

/** The time of day, or the day if ticks are days apart. */
function tickText(seconds: number, step: number): string {
  const at = new Date(seconds * 1000);
  if (step >= daySeconds) return at.toLocaleDateString(timeLocale(), { day: 'numeric', month: 'short' });
  return at.toLocaleTimeString(timeLocale(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

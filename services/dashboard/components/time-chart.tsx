import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line of a chart. */
export interface ChartLine {
  label: string;
  /** One of the colours of `dashboard.css`, such as `--vigil-line-1`. */
  color: string;
  values: readonly (number | null)[];
  /** Filled down to the axis with the colour of the same name and `-fill`. */
  isFilled?: boolean;
}

interface TimeChartProps {
  /** What is shown, for those who cannot see it. */
  title: string;
  unit: string;
  /** Seconds since 1970. */
  at: readonly number[];
  lines: readonly ChartLine[];
  height?: number;
}

/** Lines over time; drawn anew when the theme changes. */
export function TimeChart({ title, unit, at, lines, height = 220 }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let chart = draw(element, { unit, at, lines, height });
    const redraw = () => {
      chart.destroy();
      chart = draw(element, { unit, at, lines, height });
    };
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    const theming = new MutationObserver(redraw);
    theming.observe(document.documentElement, { attributeFilter: ['class'] });
    return () => {
      resizing.disconnect();
      theming.disconnect();
      chart.destroy();
    };
  }, [unit, at, lines, height]);
  const last = lines.map((line) => `${line.label} ${line.values.at(-1)?.toFixed(1) ?? 'unknown'} ${unit}`).join(', ');
  return <div ref={box} className="vigil-chart" role="img" aria-label={`${title}: now ${last}`} />;
}

function draw(element: HTMLElement, { unit, at, lines, height }: Omit<Required<TimeChartProps>, 'title'>): uPlot {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const text = color('--pf-t--global--text--color--subtle');
  const grid = { stroke: color('--pf-t--global--border--color--default'), width: 0.5 };
  const axis = { stroke: text, grid, ticks: grid, font: '12px RedHatText, sans-serif' };
  return new uPlot(
    {
      width: element.clientWidth || 600,
      height,
      legend: { live: false },
      series: [
        {},
        ...lines.map((line) => ({
          label: line.label,
          stroke: color(line.color),
          width: 2,
          ...(line.isFilled ? { fill: color(`${line.color}-fill`) } : {}),
          value: (_chart: uPlot, value: number | null) => (value === null ? '–' : `${value.toFixed(1)} ${unit}`),
        })),
      ],
      axes: [
        {
          ...axis,
          incrs: [...tickSeconds],
          space: 60,
          values: (_chart, times, _axis, _space, step) => times.map((at) => tickText(at, step)),
        },
        { ...axis, size: 60, values: (_chart, values) => values.map((value) => `${value} ${unit}`) },
      ],
      scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, (max ?? 1) * 1.1)] } },
    },
    [[...at], ...lines.map((line) => [...line.values])],
    element,
  );
}

const daySeconds = 86_400;
/** Whole minutes, so that no two ticks have the same text; over days, whole days. */
const tickSeconds = [
  ...[60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600],
  ...[1, 2, 7, 14, 28, 84].map((days) => days * daySeconds),
] as const;

/** The time of day, or where ticks are days apart, the day. */
function tickText(seconds: number, step: number): string {
  const at = new Date(seconds * 1000);
  if (step >= daySeconds) return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

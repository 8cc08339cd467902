import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import { text } from '../texts/texts.ts';
import type { TimeWindow } from './chart-axes.ts';
import { type ChartLine, drawChart } from './draw-chart.ts';
import { roundedText } from './number-text.ts';
import { fullTime } from './time.tsx';
import { useChartCursor } from './use-chart-cursor.ts';

export type { ChartLine } from './draw-chart.ts';

interface TimeChartProps {
  title: string;
  unit: string;
  /** Seconds since 1970. */
  at: readonly number[];
  lines: readonly ChartLine[];
  height?: number;
  /** The requested time, which is the axis of a single point. The same object as long as it does not change. */
  requested?: TimeWindow;
}

/**
 * Lines over time. The values below are those under the pointer, of the last arrow key, or the latest ones. The chart
 * is drawn again when the theme changes.
 */
export function TimeChart({ title, unit, at, lines, height = 220, requested }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | null>(null);
  const { index, pointTo, keyed, onKeyDown, onBlur } = useChartCursor(at.length, (next) =>
    pointAt(drawn.current, at[next]),
  );
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onReady = (chart: uPlot) => {
      const chosen = keyed();
      if (chosen !== null) pointAt(chart, at[chosen]);
    };
    const draw = () => {
      drawn.current?.destroy();
      drawn.current = drawChart(element, { unit, at, lines, height, requested }, { onIndex: pointTo, onReady });
    };
    draw();
    const resizing = new ResizeObserver(() => drawn.current?.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    const theming = new MutationObserver(draw);
    theming.observe(document.documentElement, { attributeFilter: ['class'] });
    return () => {
      resizing.disconnect();
      theming.disconnect();
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, [unit, at, lines, height, requested, pointTo, keyed]);
  const shown = index ?? at.length - 1;
  const values = lines.map(({ label, values: known }) => `${label} ${valueText(known[shown], unit)}`).join(', ');
  const described = `${fullTime((at[shown] ?? 0) * 1000)}: ${values}`;
  return (
    <figure className="vigil-chart-figure">
      <div
        ref={box}
        className="vigil-chart"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, at.length - 1)}
        aria-valuenow={Math.max(0, shown)}
        aria-valuetext={described}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      <figcaption className="vigil-chart-values">
        {described} <span className="vigil-chart-hint">{text('charts.hint')}</span>
      </figcaption>
    </figure>
  );
}

function valueText(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? '–' : `${roundedText(value, 1)}\u00a0${unit}`;
}

/** Moves the pointer line to the value of the last key. */
function pointAt(chart: uPlot | null, seconds: number | undefined): void {
  if (!chart || seconds === undefined) return;
  chart.setCursor({ left: chart.valToPos(seconds, 'x'), top: chart.bbox.height / (2 * devicePixelRatio) });
}

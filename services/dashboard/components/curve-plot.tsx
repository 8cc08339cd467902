import type { ReactNode } from 'react';
import { text } from '../texts/texts.ts';
import { plot } from './curve-shape.ts';

/** A position on the horizontal axis: `at` is a share of the width, from 0 to 1. */
export interface CurveTick {
  at: number;
  label: string;
}

interface CurvePlotProps {
  /** Name of the horizontal axis. */
  across: string;
  ticks: readonly CurveTick[];
  /** Height at the left edge of the area that no plan can reach, in units of the plot. The area carries its name. */
  beyondHeight: number;
  children: ReactNode;
}

/** Space for labels around the plot, in its units. */
const margin = { left: 64, right: 24, top: 12, bottom: 52 } as const;
const gains = [0, 25, 50, 75, 100] as const;
/** Least height of an area that carries its name. */
const roomForText = 20;

/** A plot of the gain, with axes. Visual only: a table or facts have the numbers. */
export function CurvePlot({ across, ticks, beyondHeight, children }: CurvePlotProps) {
  const { width, height } = plot;
  const box = [-margin.left, -margin.top, width + margin.left + margin.right, height + margin.top + margin.bottom];
  return (
    <svg className="vigil-curve" viewBox={box.join(' ')} aria-hidden="true">
      {children}
      {gains.map((gain) => {
        const y = height - (gain / 100) * height;
        return (
          <g key={gain}>
            <line className="vigil-curve-grid" x1={0} x2={width} y1={y} y2={y} />
            <text x={-8} y={y + 4} textAnchor="end">
              {gain} %
            </text>
          </g>
        );
      })}
      {ticks.map(({ at, label }) => (
        <text key={at} x={at * width} y={height + 18} textAnchor="middle">
          {label}
        </text>
      ))}
      <text x={width / 2} y={height + 40} textAnchor="middle">
        {across}
      </text>
      <text
        x={-margin.left + 12}
        y={height / 2}
        transform={`rotate(-90 ${-margin.left + 12} ${height / 2})`}
        textAnchor="middle"
      >
        {text('curve.gain')}
      </text>
      {beyondHeight >= roomForText && (
        <text x={8} y={16}>
          {text('curve.beyond')}
        </text>
      )}
    </svg>
  );
}

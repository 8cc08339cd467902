import type { ReactNode } from 'react';
import { wholePercent } from '../number-text.ts';
import type { ShareEnds } from './scale-of.ts';

const buckets = 10;

/** Meaning of the colours. `children` explain borders and dots. */
export function MapLegend({ ends, children }: { ends: ShareEnds; children?: ReactNode }) {
  return (
    <p className="vigil-legend" data-testid="map-legend">
      {wholePercent(ends.from)}
      {Array.from({ length: buckets }, (_unused, index) => (
        <span key={index} className={`vigil-cell vigil-heat-${index}of10`} aria-hidden="true" />
      ))}
      {wholePercent(ends.to)}
      {children}
    </p>
  );
}

/** A label for an appearance of hosts, beside its sample. */
export function LegendNote({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="vigil-heat-note">
      <span className={`vigil-cell ${className}`} aria-hidden="true" /> {children}
    </span>
  );
}

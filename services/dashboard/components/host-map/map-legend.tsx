import type { ReactNode } from 'react';
import { text } from '../../texts/texts.ts';
import { wholePercent } from '../number-text.ts';
import { isOutlier, type ShareEnds } from './scale-of.ts';

const buckets = 10;

interface MapLegendProps {
  ends: ShareEnds;
  /** Shown shares of hosts. */
  shares: readonly (number | null)[];
  /** Explains borders and dots. */
  children?: ReactNode;
}

/** Meaning of the colours. */
export function MapLegend({ ends, shares, children }: MapLegendProps) {
  const outliers = shares.filter((share) => isOutlier(share, ends)).length;
  return (
    <p className="vigil-legend" data-testid="map-legend">
      {wholePercent(ends.from)}
      {Array.from({ length: buckets }, (_unused, index) => (
        <span key={index} className={`vigil-cell vigil-heat-${index}of10`} aria-hidden="true" />
      ))}
      {wholePercent(ends.to)}
      {outliers > 0 && (
        <LegendNote className="vigil-map-outlier">{text('map.outliers', { count: outliers })}</LegendNote>
      )}
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

import type { Indicator } from '#libs/client';
import { indicatorText, indicatorTitle } from '../texts/api-names.ts';
import { text } from '../texts/texts.ts';
import { Facts } from './facts.tsx';

/** Indicators of a plan or of a dry run. */
export function IndicatorList({ indicators }: { indicators: readonly Indicator[] }) {
  if (indicators.length === 0) return <p>{text('changes.noIndicators')}</p>;
  return (
    <Facts
      facts={indicators.map(({ name, value, unit }) => [indicatorTitle(name), indicatorText(name, value, unit)])}
    />
  );
}

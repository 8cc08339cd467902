import type { Indicator } from '#libs/client';
import { indicatorText, indicatorTitle, shareText } from '#libs/client';
import { Facts } from './facts.tsx';

/** Indicators of a plan or of a dry run. */
export function IndicatorList({ indicators }: { indicators: readonly Indicator[] }) {
  if (indicators.length === 0) return <p>The goal declares no indicators.</p>;
  return (
    <Facts
      facts={indicators.map(({ name, value, unit }) => [indicatorTitle(name), indicatorText(name, value, unit)])}
    />
  );
}

/** A number with as many digits as tell something, and its unit on the same line; a fraction is shown in percent. */
export function numberText(value: number | null | undefined, unit?: string | null): string {
  if (value === null || value === undefined) return '–';
  if (unit === 'fraction') return shareText(value);
  const digits = unit !== '%' && Math.abs(value) < 10 ? 4 : 1;
  const text = value.toLocaleString('en', { maximumFractionDigits: digits });
  return unit ? `${text}\u00a0${unit}` : text;
}

/** How many, with a comma at the thousands. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

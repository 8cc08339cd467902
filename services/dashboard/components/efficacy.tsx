import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';

/** A number with a name, as goals declare them. */
export interface Indicator {
  name: string;
  description?: string | null;
  unit?: string | null;
  value?: number | null;
}

/** Indicators of a plan or of a dry run. */
export function IndicatorList({ indicators }: { indicators: readonly Indicator[] }) {
  if (indicators.length === 0) return <p>The goal declares no indicators.</p>;
  return (
    <DescriptionList isCompact isHorizontal isFluid>
      {indicators.map((indicator) => (
        <DescriptionListGroup key={indicator.name}>
          <DescriptionListTerm>{wordsOf(indicator.name)}</DescriptionListTerm>
          <DescriptionListDescription>{numberText(indicator.value, indicator.unit)}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}

/** A number with as many digits as tell something, and its unit; a fraction has none. */
export function numberText(value: number | null | undefined, unit?: string | null): string {
  if (value === null || value === undefined) return '–';
  const digits = unit !== '%' && Math.abs(value) < 10 ? 4 : 1;
  const text = value.toLocaleString('en', { maximumFractionDigits: digits });
  return unit && unit !== 'fraction' ? `${text} ${unit}` : text;
}

/** A name of the API in words: `released_nodes` becomes `Released nodes`. */
export function wordsOf(name: string): string {
  const text = name.replaceAll(/[_-]+/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

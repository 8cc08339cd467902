import type { ExpectedHour } from '../../components/forecast-words.ts';
import type { ChartLine } from '../../components/time-chart.tsx';
import { text } from '../../texts/texts.ts';

/** Lines of the expected load and its band. A band without width at any hour has no lines. */
export function forecastLines(hours: readonly ExpectedHour[]): ChartLine[] {
  const lineOf = (of: 'expected' | 'low' | 'high', color: string): ChartLine => ({
    label: text(`forecast.line.${of}`),
    color,
    values: hours.map((hour) => hour[of]),
  });
  const expected = { ...lineOf('expected', '--vigil-line-1'), isFilled: true };
  const hasBand = hours.some(({ low, high }) => low < high);
  return hasBand ? [lineOf('high', '--vigil-line-2'), expected, lineOf('low', '--vigil-line-3')] : [expected];
}

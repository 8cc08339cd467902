import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { serverClock } from '../api/server-clock.ts';
import { text } from '../texts/texts.ts';
import { useQueryValue } from './use-query-value.ts';

const ranges = ['hour', 'day', 'week'] as const;

/** Time ranges of charts. */
type ChartRange = (typeof ranges)[number];

/**
 * Seconds shown. Charts of more than an hour end at a full step, so that parts of a page share their requests for a
 * while.
 */
const lengths: Readonly<Record<Exclude<ChartRange, 'hour'>, { seconds: number; step: number }>> = {
  day: { seconds: 86_400, step: 600 },
  week: { seconds: 7 * 86_400, step: 3600 },
};

/** Time range of the charts of a page, from its URL. Default: an hour. */
export function useChartRange(): { range: ChartRange; setRange: (range: ChartRange) => void; query: string } {
  const [parameter, setRangeParameter] = useQueryValue('range');
  const range = ranges.find((known) => known === parameter) ?? 'hour';
  return {
    range,
    setRange: (next) => setRangeParameter(next === 'hour' ? '' : next),
    query: windowQuery(range, serverClock.now()),
  };
}

/** API parameters for a range that ends at `now` (milliseconds). Empty: the last hour, the API's default. */
export function windowQuery(range: ChartRange, now: number): string {
  if (range === 'hour') return '';
  const { seconds, step } = lengths[range];
  const end = Math.ceil(now / 1000 / step) * step;
  return `start=${end - seconds}&end=${end}`;
}

/** Field for the time range of charts. */
export function RangeChoice({ range, setRange }: Pick<ReturnType<typeof useChartRange>, 'range' | 'setRange'>) {
  return (
    <ToggleGroup aria-label={text('charts.range')} isCompact>
      {ranges.map((known) => (
        <ToggleGroupItem
          key={known}
          text={text(`charts.range.${known}`)}
          isSelected={known === range}
          onChange={() => setRange(known)}
        />
      ))}
    </ToggleGroup>
  );
}

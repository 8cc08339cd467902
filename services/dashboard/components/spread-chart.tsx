import { useMemo } from 'react';
import type { HistorySpread } from '../api/cluster-types.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { text } from '../texts/texts.ts';
import { Failure, Loading, Nothing } from './states.tsx';
import { type ChartLine, TimeChart } from './time-chart.tsx';

/** Distribution of CPU load over the hosts. `query` is the time range (default: the last hour). */
export function SpreadChart({ query = '' }: { query?: string }) {
  const spread = useStreamQuery<HistorySpread>(`history/spread${query && `?${query}`}`, ['data_model']);
  const lines = useMemo<ChartLine[]>(
    () =>
      spread.data
        ? [
            { label: text('charts.most'), color: '--vigil-line-3', values: spread.data.max },
            { label: text('charts.mean'), color: '--vigil-line-1', values: spread.data.mean, isFilled: true },
            { label: text('charts.deviation'), color: '--vigil-line-2', values: spread.data.deviation },
          ]
        : [],
    [spread.data],
  );
  if (spread.isPending) return <Loading what={text('charts.cpuLoad')} as="drawing" />;
  if (!spread.data) return <Failure title={text('charts.unreadable')} error={spread.error} />;
  if (spread.data.at.length === 0) return <Nothing title={text('charts.nothing')} />;
  return <TimeChart title={text('charts.cpuLoad')} unit={spread.data.unit} at={spread.data.at} lines={lines} />;
}

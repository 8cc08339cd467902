import { useMemo } from 'react';
import type { HistorySpread } from '../api/cluster-types.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { Failure, Loading, Nothing } from './states.tsx';
import { type ChartLine, TimeChart } from './time-chart.tsx';

/** How CPU load was spread over the hosts in the last hour. */
export function SpreadChart({ height }: { height?: number }) {
  const spread = useStreamQuery<HistorySpread>('history/spread', ['data_model']);
  const lines = useMemo<ChartLine[]>(
    () =>
      spread.data
        ? [
            { label: 'Most loaded', color: '--vigil-line-3', values: spread.data.max },
            { label: 'Mean', color: '--vigil-line-1', values: spread.data.mean, isFilled: true },
            { label: 'Deviation', color: '--vigil-line-2', values: spread.data.deviation },
          ]
        : [],
    [spread.data],
  );
  if (spread.isPending) return <Loading what="load of the last hour" />;
  if (!spread.data) return <Failure title="The history can not be read" error={spread.error} />;
  if (spread.data.at.length === 0) return <Nothing title="Nothing was measured" />;
  return (
    <TimeChart
      title="CPU load over hosts"
      unit={spread.data.unit}
      at={spread.data.at}
      lines={lines}
      {...(height ? { height } : {})}
    />
  );
}

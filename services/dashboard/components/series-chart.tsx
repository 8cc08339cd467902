import { useMemo } from 'react';
import type { HistorySeries } from '../api/cluster-types.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { text } from '../texts/texts.ts';
import { chartsOf } from './charts-of.ts';
import { Failure, Loading, Nothing } from './states.tsx';
import { TimeChart } from './time-chart.tsx';

/** Measurements of a host or an instance, a chart for each unit. `query` is the time range (empty: the last hour). */
export function SeriesChart({ title, path, query }: { title: string; path: string; query: string }) {
  const history = useStreamQuery<HistorySeries>(`${path}${query && `?${query}`}`, ['data_model']);
  const charts = useMemo(() => chartsOf(history.data?.series ?? []), [history.data]);
  if (history.isPending) return <Loading what={text('charts.history')} as="drawing" />;
  if (!history.data) return <Failure title={text('charts.unreadable')} error={history.error} />;
  if (charts.length === 0) return <Nothing title={text('charts.nothing')} />;
  return charts.map(({ unit, at, lines }) => (
    <TimeChart
      key={unit}
      title={text('charts.inUnit', { title, unit })}
      unit={unit}
      at={at}
      lines={lines}
      height={180}
    />
  ));
}

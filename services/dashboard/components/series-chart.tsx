import { useMemo } from 'react';
import type { HistorySeries } from '../api/cluster-types.ts';
import { useStreamQuery } from '../live/use-stream-query.ts';
import { chartsOf } from './charts-of.ts';
import { Failure, Loading, Nothing } from './states.tsx';
import { TimeChart } from './time-chart.tsx';

/** What was measured of a host or an instance in the last hour, a chart for each unit. */
export function SeriesChart({ title, path }: { title: string; path: string }) {
  const history = useStreamQuery<HistorySeries>(path, ['data_model']);
  const charts = useMemo(() => chartsOf(history.data?.series ?? []), [history.data]);
  if (history.isPending) return <Loading what="history" />;
  if (!history.data) return <Failure title="The history cannot be read" error={history.error} />;
  if (charts.length === 0) return <Nothing title="Nothing was measured" />;
  return charts.map(({ unit, at, lines }) => (
    <TimeChart key={unit} title={`${title} in ${unit}`} unit={unit} at={at} lines={lines} height={180} />
  ));
}

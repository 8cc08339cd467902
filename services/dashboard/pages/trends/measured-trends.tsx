import { Content, GridItem } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { HistorySpread } from '../../api/cluster-types.ts';
import { serverClock } from '../../api/server-clock.ts';
import { Failure, Loading } from '../../components/states.tsx';
import { type ChartLine, TimeChart } from '../../components/time-chart.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { totalPower } from './trend-sums.ts';

/** Charts end at a full hour, so that pages opened within it share their requests. */
const hour = 3600;

/** Deviation of load and power over the weeks since a time, as far as the data sources keep them. */
export function MeasuredTrends({ since }: { since: string }) {
  const start = Math.floor(Date.parse(since) / 1000);
  const end = Math.ceil(serverClock.now() / 1000 / hour) * hour;
  return (
    <>
      <GridItem xl={6}>
        <TitledCard isFullHeight title={text('trends.deviation')}>
          <Spread
            metric="host_cpu_usage"
            start={start}
            end={end}
            title={text('trends.deviation')}
            linesOf={loadLines}
          />
          <Content component="small">{text('charts.deviationHint')}</Content>
        </TitledCard>
      </GridItem>
      <GridItem xl={6}>
        <TitledCard isFullHeight title={text('trends.power')}>
          <Spread metric="host_power" start={start} end={end} title={text('trends.power')} linesOf={powerLines} />
        </TitledCard>
      </GridItem>
    </>
  );
}

function loadLines({ mean, deviation }: HistorySpread): ChartLine[] {
  return [
    { label: text('charts.mean'), color: '--vigil-line-1', values: mean, isFilled: true },
    { label: text('charts.deviation'), color: '--vigil-line-2', values: deviation },
  ];
}

function powerLines(spread: HistorySpread): ChartLine[] {
  return [{ label: text('trends.allHosts'), color: '--vigil-line-1', values: totalPower(spread), isFilled: true }];
}

interface SpreadProps {
  metric: string;
  /** Seconds since 1970, also of `end`. */
  start: number;
  end: number;
  title: string;
  linesOf: (spread: HistorySpread) => ChartLine[];
}

function Spread({ metric, start, end, title, linesOf }: SpreadProps) {
  const spread = useStreamQuery<HistorySpread>(`history/spread?metric=${metric}&start=${start}&end=${end}`, []);
  const requested = useMemo((): [number, number] => [start, end], [start, end]);
  const lines = useMemo(() => (spread.data ? linesOf(spread.data) : []), [spread.data, linesOf]);
  if (spread.isPending) return <Loading what={title} as="drawing" />;
  if (!spread.data) return <Failure title={text('charts.unreadable')} error={spread.error} />;
  if (spread.data.at.length === 0) return <p className="vigil-subtle">{text('charts.nothing')}</p>;
  return <TimeChart title={title} unit={spread.data.unit} at={spread.data.at} lines={lines} requested={requested} />;
}

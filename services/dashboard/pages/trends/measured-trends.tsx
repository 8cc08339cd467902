import { Card, CardBody, CardTitle, Content, GridItem } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { HistorySpread } from '../../api/cluster-types.ts';
import { serverClock } from '../../api/server-clock.ts';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { type ChartLine, TimeChart } from '../../components/time-chart.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { totalPower } from './total-power.ts';

/** Charts end at a full hour, so that pages that are opened within it ask the same. */
const hour = 3600;

/** Deviation of load and power over the weeks since a moment, as the data sources still know them. */
export function MeasuredTrends({ since }: { since: string }) {
  const end = Math.ceil(serverClock.now() / 1000 / hour) * hour;
  const window = `start=${Math.floor(Date.parse(since) / 1000)}&end=${end}`;
  return (
    <>
      <GridItem xl={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Deviation of CPU load over hosts</CardTitle>
          <CardBody>
            <Spread
              path={`history/spread?metric=host_cpu_usage&${window}`}
              title="Deviation of CPU load"
              linesOf={loadLines}
            />
            <Content component="small">A smaller deviation means that load is spread more evenly.</Content>
          </CardBody>
        </Card>
      </GridItem>
      <GridItem xl={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Power of all measured hosts</CardTitle>
          <CardBody>
            <Spread path={`history/spread?metric=host_power&${window}`} title="Power" linesOf={powerLines} />
          </CardBody>
        </Card>
      </GridItem>
    </>
  );
}

function loadLines({ mean, deviation }: HistorySpread): ChartLine[] {
  return [
    { label: 'Mean', color: '--vigil-line-1', values: mean, isFilled: true },
    { label: 'Deviation', color: '--vigil-line-2', values: deviation },
  ];
}

function powerLines(spread: HistorySpread): ChartLine[] {
  return [{ label: 'All measured hosts', color: '--vigil-line-1', values: totalPower(spread), isFilled: true }];
}

interface SpreadProps {
  path: string;
  title: string;
  linesOf: (spread: HistorySpread) => ChartLine[];
}

function Spread({ path, title, linesOf }: SpreadProps) {
  const spread = useStreamQuery<HistorySpread>(path, []);
  const lines = useMemo(() => (spread.data ? linesOf(spread.data) : []), [spread.data, linesOf]);
  if (spread.isPending) return <Loading what={title} />;
  if (!spread.data) return <Failure title="The history cannot be read" error={spread.error} />;
  if (spread.data.at.length === 0) return <Nothing title="Nothing was measured" />;
  return <TimeChart title={title} unit={spread.data.unit} at={spread.data.at} lines={lines} />;
}

import { useMemo } from 'react';
import type { LoadForecast } from '../../api/cluster-types.ts';
import { verdictText } from '../../components/forecast-words.ts';
import { hostForecastPath } from '../../components/forecasts-without-plan.ts';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { zoneName } from '../../components/time.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { forecastLines } from './forecast-lines.ts';

/** CPU load that is expected of a host for the next 24 hours, with its band. Nothing without permission. */
export function ExpectedLoad({ hostname }: { hostname: string }) {
  if (!useMay('internal:read')) return null;
  return (
    <TitledCard title={text('forecast.title', { zone: zoneName() })}>
      <ForecastChart hostname={hostname} />
    </TitledCard>
  );
}

function ForecastChart({ hostname }: { hostname: string }) {
  const forecast = useStreamQuery<LoadForecast>(hostForecastPath(hostname), []);
  const hours = forecast.data?.hours;
  const chart = useMemo(() => {
    const known = hours ?? [];
    return { at: known.map(({ from }) => Date.parse(from) / 1000), lines: forecastLines(known) };
  }, [hours]);
  if (forecast.isPending) return <Loading what={text('forecast.noun')} as="drawing" />;
  if (!forecast.data)
    return (
      <Failure title={text('forecast.unreadable')} error={forecast.error} onRetry={() => void forecast.refetch()} />
    );
  if (chart.at.length === 0) return <Nothing title={text('forecast.unmeasured')} />;
  return (
    <>
      <TimeChart title={text('forecast.of', { host: hostname })} unit="%" {...chart} height={180} />
      <p className="vigil-subtle" data-testid="forecast-verdict">
        {verdictText(forecast.data)}
      </p>
    </>
  );
}

import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQueries } from '@tanstack/react-query';
import type { PlanRowDetail } from '../../api/list-types.ts';
import { bandText, highLoad, peakOf, verdictText } from '../../components/forecast-words.ts';
import { forecastQueries, relievedHosts } from '../../components/forecasts-without-plan.ts';
import { HostLink } from '../../components/links.tsx';
import { wholePercent } from '../../components/number-text.ts';
import { Loading } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';

/**
 * The expected CPU load of the relieved hosts without the plan: the cost of doing nothing. Only for plans that can
 * still be started. The table of hosts is folded unless `isExpanded`.
 */
export function WithoutPlan({ row, isExpanded = false }: { row: PlanRowDetail | undefined; isExpanded?: boolean }) {
  const mayRead = useMay('internal:read');
  if (!mayRead || row === undefined) return null;
  const hosts = relievedHosts(row);
  return hosts.length === 0 ? null : <Expected hosts={hosts} isExpanded={isExpanded} />;
}

function Expected({ hosts, isExpanded }: { hosts: readonly string[]; isExpanded: boolean }) {
  const read = forecastQueries(useDashboard(), hosts);
  const queries = useQueries({ queries: read });
  const forecasts = queries.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (queries.some(({ isPending }) => isPending)) return <Loading what={text('withoutPlan.title')} as="notice" />;
  // The page of the host reports an unavailable history. The plan shows all other parts.
  if (forecasts.length < read.length) return null;
  const rows = forecasts.map((forecast) => ({ forecast, peak: peakOf(forecast.hours) }));
  const high = rows.filter(({ peak }) => peak !== undefined && peak.expected >= highLoad).length;
  const values = { count: high, of: read.length, limit: wholePercent(highLoad) };
  return (
    <Alert
      isInline
      isPlain={!isExpanded}
      isExpandable={!isExpanded}
      variant={high > 0 ? 'warning' : 'info'}
      title={high > 0 ? text('withoutPlan.high', values) : text('withoutPlan.none', { limit: values.limit })}
      data-testid="without-plan"
    >
      <div className="vigil-scroll">
        <Table aria-label={text('withoutPlan.title')} variant="compact">
          <Thead>
            <Tr>
              <Th>{text('column.host')}</Th>
              <Th modifier="wrap" className="vigil-number">
                {text('withoutPlan.lastHour')}
              </Th>
              <Th modifier="wrap">{text('withoutPlan.peak')}</Th>
              <Th>{text('withoutPlan.basis')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {rows.map(({ forecast, peak }) => (
              <Tr key={forecast.id}>
                <Td dataLabel={text('column.host')}>
                  <HostLink hostname={forecast.id} />
                </Td>
                <Td dataLabel={text('withoutPlan.lastHour')} className="vigil-number">
                  {forecast.last_value === null ? '–' : wholePercent(forecast.last_value)}
                </Td>
                <Td dataLabel={text('withoutPlan.peak')}>{peak === undefined ? '–' : bandText(peak)}</Td>
                <Td dataLabel={text('withoutPlan.basis')}>{verdictText(forecast)}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
      {hosts.length > read.length && <p>{text('withoutPlan.more', { count: hosts.length - read.length })}</p>}
    </Alert>
  );
}

import { Grid, GridItem, PageSection, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { Link } from 'react-router';
import type { TrendsResponse } from '../../api/find-types.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { KeptPromises } from './kept-promises.tsx';
import { MeasuredTrends } from './measured-trends.tsx';
import { PromiseTable } from './promise-table.tsx';
import { WeekBars } from './week-bars.tsx';

const ranges = [4, 12, 26, 52] as const;
const defaultWeeks = 4;
/** Pause in milliseconds before the sums of the weeks are read again. Plans change often. */
const settleMs = 5_000;

/** Results of Vigil over weeks: deviation, power, migrations, freed hosts, and predictions against measurements. */
export function TrendsPage() {
  const [parameter, setWeeks] = useQueryValue('weeks');
  const weeks = ranges.find((known) => String(known) === parameter) ?? defaultWeeks;
  const mayMeasure = useMay('internal:read');
  const mayReport = useMay('report:get');
  const trends = useStreamQuery<TrendsResponse>(`trends?weeks=${weeks}`, ['action_plan'], { settleMs });
  return (
    <>
      <PageHeader
        title={text('page.trends')}
        actions={
          <ToggleGroup aria-label={text('trends.weeks')}>
            {ranges.map((range) => (
              <ToggleGroupItem
                key={range}
                text={text('trends.weekCount', { count: range })}
                isSelected={range === weeks}
                onChange={() => setWeeks(range === defaultWeeks ? '' : String(range))}
              />
            ))}
          </ToggleGroup>
        }
      >
        {text('trends.hint')} {mayReport && <Link to="/trends/report">{text('period.link')}</Link>}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {trends.isPending && <Loading what={text('page.trends')} as="drawing" />}
        {trends.isError && !trends.data && (
          <Failure title={text('trends.unreadable')} error={trends.error} onRetry={() => void trends.refetch()} />
        )}
        {trends.data && (
          <Grid hasGutter>
            {mayMeasure && <MeasuredTrends since={trends.data.since} />}
            <GridItem xl={6}>
              <TitledCard isFullHeight title={text('trends.moves')}>
                <WeekBars
                  title={text('trends.moves')}
                  unit={text('trends.movesUnit')}
                  weeks={trends.data.weeks.map(({ week, moves, failed_moves: failed }) => ({
                    week,
                    value: moves,
                    note: failed === 0 ? '' : text('count.failed', { failed }),
                  }))}
                />
              </TitledCard>
            </GridItem>
            <GridItem xl={6}>
              <TitledCard isFullHeight title={text('trends.freed')}>
                <WeekBars
                  title={text('trends.freed')}
                  unit={text('trends.freedUnit')}
                  weeks={trends.data.weeks.map(({ week, hosts_freed: value, plans }) => ({
                    week,
                    value,
                    note: text('trends.succeeded', { count: plans }),
                  }))}
                />
              </TitledCard>
            </GridItem>
            <GridItem>
              <TitledCard title={text('promise.title')}>
                <KeptPromises promises={trends.data.promises} />
              </TitledCard>
            </GridItem>
            <GridItem>
              <TitledCard title={text('outcome.title')}>
                <PromiseTable plans={trends.data.plans} />
              </TitledCard>
            </GridItem>
          </Grid>
        )}
      </PageSection>
    </>
  );
}

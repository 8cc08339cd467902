import {
  Card,
  CardBody,
  CardTitle,
  Grid,
  GridItem,
  PageSection,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import type { TrendsAnswer } from '../../api/find-types.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { MeasuredTrends } from './measured-trends.tsx';
import { PromiseTable } from './promise-table.tsx';
import { WeekBars } from './week-bars.tsx';

const ranges = [4, 12, 26, 52] as const;
const defaultWeeks = 4;
/** Plans change all the time; what a week has come to is read again after this pause in milliseconds. */
const settleMs = 5_000;

/** What Vigil has done over weeks: deviation, power, moves, hosts freed, and what plans promised and achieved. */
export function TrendsPage() {
  const [asked, setWeeks] = useQueryValue('weeks');
  const weeks = ranges.find((known) => String(known) === asked) ?? defaultWeeks;
  const mayMeasure = useMay('internal:read');
  const trends = useStreamQuery<TrendsAnswer>(`trends?weeks=${weeks}`, ['action_plan'], { settleMs });
  return (
    <>
      <PageHeader
        title="Trends"
        actions={
          <ToggleGroup aria-label="Weeks that are shown">
            {ranges.map((range) => (
              <ToggleGroupItem
                key={range}
                text={`${range} weeks`}
                isSelected={range === weeks}
                onChange={() => setWeeks(range === defaultWeeks ? '' : String(range))}
              />
            ))}
          </ToggleGroup>
        }
      >
        What the cloud has come to, and what plans have done for it, as far back as plans and measurements are kept.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {trends.isPending && <Loading what="trends" />}
        {trends.isError && !trends.data && (
          <Failure title="The trends cannot be read" error={trends.error} onRetry={() => void trends.refetch()} />
        )}
        {trends.data && (
          <Grid hasGutter>
            {mayMeasure && <MeasuredTrends since={trends.data.since} />}
            <GridItem xl={6}>
              <Card isFullHeight>
                <CardTitle component="h2">Moves per week</CardTitle>
                <CardBody>
                  <WeekBars
                    title="Moves per week"
                    weeks={trends.data.weeks.map(({ week, moves, failed_moves: failed }) => ({
                      week,
                      value: moves,
                      note: failed === 0 ? '' : `${failed} failed`,
                    }))}
                  />
                </CardBody>
              </Card>
            </GridItem>
            <GridItem xl={6}>
              <Card isFullHeight>
                <CardTitle component="h2">Hosts freed per week</CardTitle>
                <CardBody>
                  <WeekBars
                    title="Hosts freed per week"
                    weeks={trends.data.weeks.map(({ week, hosts_freed: value, plans }) => ({
                      week,
                      value,
                      note: `${plans} ${plans === 1 ? 'plan' : 'plans'} succeeded`,
                    }))}
                  />
                </CardBody>
              </Card>
            </GridItem>
            <GridItem>
              <Card>
                <CardTitle component="h2">Predicted and achieved</CardTitle>
                <CardBody>
                  <PromiseTable plans={trends.data.plans} />
                </CardBody>
              </Card>
            </GridItem>
          </Grid>
        )}
      </PageSection>
    </>
  );
}

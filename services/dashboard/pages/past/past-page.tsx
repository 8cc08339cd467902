import { Grid, GridItem, PageSection } from '@patternfly/react-core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { dataOf } from '#libs/client';
import type { TrendsResponse } from '../../api/find-types.ts';
import { serverClock } from '../../api/server-clock.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { fullTime } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { momentOf, placeOf, timeLineOf } from './moments.ts';
import { PastHosts } from './past-hosts.tsx';
import { PlanMarks } from './plan-marks.tsx';
import { TimeLineControl } from './time-line.tsx';

/** Weeks that hold the whole time line. */
const markWeeks = 3;
/** Plans change all the time. The marks are read again after this pause in milliseconds. */
const settleMs = 5_000;
/** The past never changes. The present beside it does, and is read again after this time in milliseconds. */
const staleMs = 60_000;

/** The cluster at a moment of the last weeks, beside now. The URL has the moment. */
export function PastPage() {
  const { client } = useDashboard();
  const [query, setQuery] = useSearchParams();
  const [line] = useState(() => timeLineOf(serverClock.now()));
  const [isPlaying, setPlaying] = useState(false);
  const atMs = momentOf(query.get('at') ?? '', line);
  const at = new Date(atMs).toISOString();
  const past = useQuery({
    queryKey: ['cluster-past', at],
    queryFn: () => dataOf(client.api.GET('/v1/cluster/past', { params: { query: { at } } })),
    placeholderData: keepPreviousData,
    staleTime: staleMs,
  });
  const mayMark = [useMay('action_plan:get_all'), useMay('action:get_all')].every(Boolean);
  const trends = useStreamQuery<TrendsResponse>(`trends?weeks=${markWeeks}`, ['action_plan'], {
    ...{ settleMs, isEnabled: mayMark },
  });
  const goTo = (moment: number) =>
    setQuery(
      (known) => {
        known.set('at', new Date(moment).toISOString());
        return known;
      },
      { replace: true },
    );
  const plans = (trends.data?.plans ?? []).filter(({ ended_at: ended }) => placeOf(line, ended) !== null);
  return (
    <>
      <PageHeader title={text('past.title')} above={[{ title: text('page.cluster'), to: '/cluster' }]}>
        {text('past.hint')}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <Grid hasGutter>
          <GridItem>
            <TitledCard title={text('past.timeLine')}>
              <TimeLineControl
                line={line}
                atMs={atMs}
                marks={plans.map(({ uuid, ended_at: ended }) => ({ uuid, at: ended }))}
                isPlaying={isPlaying && !past.isError}
                isReady={past.data !== undefined && !past.isPlaceholderData}
                onMoment={goTo}
                onPlaying={setPlaying}
              />
            </TitledCard>
          </GridItem>
          <GridItem>
            <section aria-label={text('past.title')} aria-busy={past.isFetching}>
              {past.isPending && <Loading what={text('past.hostsAt', { time: fullTime(atMs) })} as="drawing" />}
              {past.isError && (
                <Failure title={text('past.unreadable')} error={past.error} onRetry={() => void past.refetch()} />
              )}
              {past.data && !past.isError && <PastHosts past={past.data} />}
            </section>
          </GridItem>
          {mayMark && (
            <GridItem>
              <TitledCard title={text('past.plans')}>
                {trends.isPending && <Loading what={text('past.plans')} />}
                {trends.isError && !trends.data && (
                  <Failure
                    title={text('trends.unreadable')}
                    error={trends.error}
                    onRetry={() => void trends.refetch()}
                  />
                )}
                {trends.data && <PlanMarks plans={plans} onMoment={goTo} />}
              </TitledCard>
            </GridItem>
          )}
        </Grid>
      </PageSection>
    </>
  );
}

import { Grid, GridItem, PageSection } from '@patternfly/react-core';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { dataOf } from '#libs/client';
import type { PlanEndList } from '../../api/find-types.ts';
import { serverClock } from '../../api/server-clock.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { fullTime } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import {
  firstRecordOf,
  inOrder,
  laterMomentOf,
  momentOf,
  placeOf,
  type TimeLine,
  timeLineDays,
  timeLineOf,
} from './moments.ts';
import { PastHosts } from './past-hosts.tsx';
import { PlanMarks } from './plan-marks.tsx';
import { TimeLineControl } from './time-line.tsx';
import { MarkLegend, TimeLineMarks } from './time-line-marks.tsx';
import { useFirstSample } from './use-first-sample.ts';

/** Pause in milliseconds before the marks are read again. Plans change often. */
const settleMs = 5_000;
/** Time in milliseconds after which the current state is read again. The past never changes. */
const staleMs = 60_000;

/** The cluster at a time since the first load or plan, beside another one or now. The URL has the moments. */
export function PastPage() {
  const [nowMs] = useState(() => serverClock.now());
  const firstSample = useFirstSample(nowMs);
  const mayMark = [useMay('action_plan:get_all'), useMay('action:get_all')].every(Boolean);
  const ends = useStreamQuery<PlanEndList>(`plan-ends?days=${timeLineDays}`, ['action_plan'], {
    ...{ settleMs, isEnabled: mayMark },
  });
  const sinceMs = firstRecordOf(firstSample.atMs, ends.data?.plans ?? []);
  const line = useMemo(() => timeLineOf(nowMs, sinceMs), [nowMs, sinceMs]);
  const isPending = firstSample.isPending || ends.isLoading;
  return (
    <>
      <PageHeader title={text('past.title')} above={[{ title: text('page.cluster'), to: '/cluster' }]}>
        {text('past.hint')}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {isPending ? (
          <Loading what={text('past.title')} as="drawing" />
        ) : (
          <Moments line={line} ends={mayMark ? ends : null} />
        )}
      </PageSection>
    </>
  );
}

interface MomentsProps {
  line: TimeLine;
  /** Null without permission. */
  ends: UseQueryResult<PlanEndList> | null;
}

function Moments({ line, ends }: MomentsProps) {
  const { client } = useDashboard();
  const [query, setQuery] = useSearchParams();
  const [isPlaying, setPlaying] = useState(false);
  const atMs = momentOf(query.get('at') ?? '', line);
  const toMs = laterMomentOf(query.get('to') ?? '');
  const moments = inOrder(atMs, toMs);
  const past = useQuery({
    queryKey: ['cluster-past', moments],
    queryFn: () => dataOf(client.api.GET('/v1/cluster/past', { params: { query: moments } })),
    placeholderData: keepPreviousData,
    staleTime: staleMs,
  });
  const show = (wanted: { at?: number; to?: number | null }) =>
    setQuery(
      (known) => {
        for (const [name, moment] of Object.entries(wanted)) {
          if (moment === null) known.delete(name);
          else known.set(name, new Date(moment).toISOString());
        }
        return known;
      },
      { replace: true },
    );
  const goTo = (at: number) => show({ at });
  const plans = (ends?.data?.plans ?? []).filter(({ ended_at: ended }) => placeOf(line, ended) !== null);
  return (
    <Grid hasGutter>
      <GridItem>
        <TitledCard title={text('past.timeLine')}>
          <TimeLineControl
            line={line}
            atMs={atMs}
            toMs={toMs}
            isPlaying={isPlaying && !past.isError}
            isReady={past.data !== undefined && !past.isPlaceholderData}
            onMoment={goTo}
            onLater={(to) => show({ to })}
            onPlaying={setPlaying}
          >
            <TimeLineMarks line={line} plans={plans} />
          </TimeLineControl>
          <MarkLegend plans={plans} />
        </TitledCard>
      </GridItem>
      <GridItem>
        <section aria-label={text('past.title')} aria-busy={past.isFetching}>
          {past.isPending && <Loading what={text('past.hostsAt', { time: fullTime(atMs) })} as="drawing" />}
          {past.isError && (
            <Failure title={text('past.unreadable')} error={past.error} onRetry={() => void past.refetch()} />
          )}
          {past.data && !past.isError && <PastHosts past={past.data} isCompared={toMs !== null} />}
        </section>
      </GridItem>
      {ends && (
        <GridItem>
          <TitledCard title={text('past.plans')}>
            {ends.isPending && <Loading what={text('past.plans')} />}
            {ends.isError && !ends.data && (
              <Failure title={text('past.plansUnreadable')} error={ends.error} onRetry={() => void ends.refetch()} />
            )}
            {ends.data && <PlanMarks plans={plans} onMoment={goTo} onBoth={(at, to) => show({ at, to })} />}
          </TitledCard>
        </GridItem>
      )}
    </Grid>
  );
}

import { Button, PageSection } from '@patternfly/react-core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { dataOf, madeOnce } from '#libs/client';
import { serverClock } from '../../api/server-clock.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { fullTime, timeLocale } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import { isMonth, type Period, periodIn } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { PeriodParts } from './period-parts.tsx';

/** Results of a month or another period on one page for paper. The URL has the period. */
export function PeriodReportPage() {
  const { client } = useDashboard();
  const [query, setQuery] = useSearchParams();
  const [nowMs] = useState(() => serverClock.now());
  const period = periodIn(query, nowMs);
  const times = { from: new Date(period.fromMs).toISOString(), to: new Date(period.toMs).toISOString() };
  const report = useQuery({
    queryKey: ['period-report', times],
    queryFn: () => dataOf(client.api.GET('/v1/report', { params: { query: times } })),
    placeholderData: keepPreviousData,
  });
  const open = ({ fromMs, toMs }: Period) =>
    setQuery({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() });
  // A reload on another day must show the same period, and so must the link.
  const link = new URL(`?${new URLSearchParams(times)}`, window.location.href).href;
  return (
    <>
      <PageHeader
        title={text('period.title', { period: titleOf(period) })}
        above={[{ title: text('page.trends'), to: '/trends' }]}
        actions={<Button onClick={() => window.print()}>{text('planReport.print')}</Button>}
      >
        {text('period.hint', { from: fullTime(period.fromMs), to: fullTime(period.toMs) })}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <div className="vigil-stack" aria-busy={report.isFetching}>
          <PeriodChoice period={period} nowMs={nowMs} onPeriod={open} />
          {report.isPending && <Loading what={text('period.report')} as="table" />}
          {report.isError && (
            <Failure title={text('period.unreadable')} error={report.error} onRetry={() => void report.refetch()} />
          )}
          {report.data && !report.isError && <PeriodParts report={report.data} />}
          {report.data && (
            <p className="vigil-subtle" data-literal>
              {text('planReport.created', { time: fullTime(report.data.made_at), url: link })}
            </p>
          )}
        </div>
      </PageSection>
    </>
  );
}

/** `November 2026` for a month, else the first and the last day. */
function titleOf(period: Period): string {
  const locale = timeLocale();
  const days = madeOnce(`days:${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
  const month = madeOnce(`month:${locale}`, () => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));
  if (isMonth(period)) return month.format(period.fromMs);
  const last = Math.max(period.fromMs, period.toMs - 1);
  return days.formatRange(period.fromMs, last);
}

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Measured, outcomeRows } from '#libs/client';
import type { PlanRowDetail } from '../api/list-types.ts';
import { useDashboard, useMay } from '../live/dashboard-context.tsx';
import { hasEnded } from '../live/ended-entities.ts';
import type { LivePlan } from '../live/live-entities.ts';
import { planRowQuery } from '../live/plan-queries.ts';
import { indicatorTitle } from '../texts/api-names.ts';
import { richText } from '../texts/rich-text.tsx';
import { language, text } from '../texts/texts.ts';
import { Effect } from './effect.tsx';
import { Facts } from './facts.tsx';
import { type HeadedPlan, headlineParts } from './headline-parts.ts';
import { HostStrip } from './host-strip.tsx';
import { countsOf, countsText } from './plan-counts.ts';
import { SideEffects } from './side-effects.tsx';
import { Failure, Loading } from './states.tsx';
import { Time } from './time.tsx';

/**
 * A plan's headline with its hosts. Reads it again when the plan has left the state of the row. Without permission
 * it sends no request.
 * @param state undefined while unknown
 */
export function usePlanRow(uuid: string, state: string | undefined): UseQueryResult<PlanRowDetail> {
  const dashboard = useDashboard();
  const maySee = useMay('action:get_all');
  const query = useQuery({ ...planRowQuery(dashboard, uuid), enabled: maySee });
  const { data, refetch } = query;
  const isOld = state !== undefined && data !== undefined && data.plan.state !== state;
  useEffect(() => {
    if (isOld) void refetch();
  }, [isOld, state, refetch]);
  return query;
}

/**
 * The headline of a plan in one line, for lists: without its rollback. The gain of an ended plan is labelled as
 * predicted.
 */
export function HeadlineLine({ plan }: { plan: HeadedPlan }) {
  const { gain, cost } = headlineParts(plan);
  if (gain.length + cost.length === 0) return <>–</>;
  const gained = gain.join(' · ');
  return (
    <span className="vigil-headline-line">
      {gain.length > 0 && (
        <strong>{hasEnded(plan.state) ? text('gain.predictedGain', { gain: gained }) : gained}</strong>
      )}
      {gain.length > 0 && cost.length > 0 && ' · '}
      {cost.join(' · ')}
    </span>
  );
}

/** Headline of a plan, or the reason for its absence. */
export function PlanHeadline({ query, plan }: { query: UseQueryResult<PlanRowDetail>; plan: LivePlan }) {
  if (query.data) return <KnownHeadline row={query.data} plan={plan} />;
  if (query.isLoading) return <Loading what={text('gain.headline')} as="headline" />;
  if (!query.isError) return null;
  return <Failure title={text('plan.unreadable')} error={query.error} onRetry={() => void query.refetch()} />;
}

/** Gain, cost, duration, requester, side effects, and the hosts before and after. */
function KnownHeadline({ row, plan }: { row: PlanRowDetail; plan: LivePlan }) {
  const { headline } = row.plan;
  const { gain, cost: costOnly, undo } = headlineParts(row.plan);
  const cost = [...costOnly, ...undo];
  if (gain.length + cost.length === 0) return null;
  return (
    <section className="vigil-headline" aria-label={text('gain.headline')}>
      {notStarted.has(row.plan.state) ? (
        <>
          <p className="vigil-headline-gain">{gain.length > 0 ? gain.join(' · ') : cost[0]}</p>
          <p>{(gain.length > 0 ? cost : cost.slice(1)).join(' · ')}</p>
        </>
      ) : (
        <Facts
          facts={[
            ...(gain.length > 0 ? [[text('outcome.predicted'), gain.join(' · ')] as const] : []),
            [text('gain.planned'), cost.join(' · ')],
            // The plan follows the stream. Its row is older.
            [text('gain.done'), countsText(countsOf(plan.progress ? plan : row.plan))],
            [text('outcome.achieved'), <Achieved key="achieved" plan={plan} />],
          ]}
        />
      )}
      <SideEffects of={headline} />
      <HostStrip row={row} />
    </section>
  );
}

/** Users of the request and of the start, or nothing if neither is known. */
export function RequestedBy({ row }: { row: PlanRowDetail | undefined }) {
  const { made_by: maker = null, started_by: starter = null, started_at: startedAt = null } = row?.plan.headline ?? {};
  if ((maker ?? starter) === null) return null;
  return (
    <span className="vigil-subtle">
      {maker !== null && text('gain.requestedBy', { who: maker })}
      {maker !== null && starter !== null && ', '}
      {starter !== null &&
        richText(maker === null ? 'gain.onlyStartedBy' : 'gain.startedBy', {
          who: starter,
          time: <Time at={startedAt} />,
        })}
    </span>
  );
}

/** Plans in these states have changed nothing. */
const notStarted: ReadonlySet<string> = new Set(['RECOMMENDED', 'PENDING', 'SUPERSEDED', 'DELETED']);

/** The quantities of the goal as measured before and after the plan, or the reason for their absence. */
function Achieved({ plan }: { plan: LivePlan }) {
  const measured: Measured | null = plan.outcome?.outcome ?? null;
  const rows = outcomeRows(
    { indicators: plan.efficacy_indicators, strategy: plan.strategy_name },
    measured,
    language(),
  );
  const known = rows.filter(({ before, achieved }) => before !== '–' && achieved !== '–');
  if (known.length === 0) return <Effect measurement={measured?.measurement} hasEnded={hasEnded(plan.state)} />;
  return (
    <>{known.map(({ title, before, achieved }) => `${indicatorTitle(title)} ${before} → ${achieved}`).join(' · ')}</>
  );
}

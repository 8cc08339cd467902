import { useQuery } from '@tanstack/react-query';
import type { PlanRow, PlanRowDetail } from '../api/list-types.ts';
import { useDashboard, useMay } from '../live/dashboard-context.tsx';
import { headlineParts } from './headline-parts.ts';
import { HostStrip } from './host-strip.tsx';
import { Time } from './time.tsx';

/** A plan's headline with its hosts; read again when its state changes. Undefined until it is known, or when it may not be seen. */
export function usePlanRow(uuid: string, state: string): PlanRowDetail | undefined {
  const { internal } = useDashboard();
  const maySee = useMay('action:get_all');
  return useQuery({
    queryKey: ['plan-row', uuid, state],
    queryFn: () => internal<PlanRowDetail>(`lists/action-plans/${uuid}`),
    enabled: maySee,
    placeholderData: (known) => (known?.plan.uuid === uuid ? known : undefined),
  }).data;
}

/** The headline of a plan in one line, for lists. */
export function HeadlineLine({ plan }: { plan: Pick<PlanRow, 'headline' | 'strategy_name'> }) {
  const { gain, cost } = headlineParts(plan.headline, plan.strategy_name);
  if (gain.length + cost.length === 0) return <>–</>;
  return (
    <span className="vigil-headline-line">
      {gain.length > 0 && <strong>{gain.join(', ')}</strong>}
      {gain.length > 0 && cost.length > 0 && ' · '}
      {cost.join(', ')}
    </span>
  );
}

/** What a plan brings, at what cost, for how long, by whom, and its hosts before and after. */
export function PlanHeadline({ row }: { row: PlanRowDetail }) {
  const { headline } = row.plan;
  const { gain, cost } = headlineParts(headline, row.plan.strategy_name);
  const { made_by: maker, started_by: starter, started_at: startedAt } = headline;
  if (gain.length + cost.length === 0) return null;
  return (
    <section className="vigil-headline" aria-label="What the plan brings and costs">
      <p className="vigil-headline-gain">{gain.length > 0 ? gain.join(' · ') : cost[0]}</p>
      <p>{(gain.length > 0 ? cost : cost.slice(1)).join(' · ')}</p>
      {(maker ?? starter) !== null && (
        <p className="vigil-subtle">
          {maker !== null && `Asked for by ${maker}`}
          {maker !== null && starter !== null && ', '}
          {starter !== null && (
            <>
              {maker === null ? 'Started' : 'started'} by {starter} <Time at={startedAt} />
            </>
          )}
        </p>
      )}
      <HostStrip hosts={row.hosts} />
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { PlanRowDetail } from '../api/list-types.ts';
import { useDashboard, useMay } from '../live/dashboard-context.tsx';
import { richText } from '../texts/rich-text.tsx';
import { text } from '../texts/texts.ts';
import { type HeadedPlan, headlineParts } from './headline-parts.ts';
import { HostStrip } from './host-strip.tsx';
import { SideEffects } from './side-effects.tsx';
import { Time } from './time.tsx';

/**
 * A plan's headline with its hosts. Read again when its state changes. Undefined until it is known, or if the user may
 * not read it.
 */
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
export function HeadlineLine({ plan }: { plan: HeadedPlan }) {
  const { gain, cost } = headlineParts(plan);
  if (gain.length + cost.length === 0) return <>–</>;
  return (
    <span className="vigil-headline-line">
      {gain.length > 0 && <strong>{gain.join(', ')}</strong>}
      {gain.length > 0 && cost.length > 0 && ' · '}
      {cost.join(', ')}
    </span>
  );
}

/** Headline of a plan: gain, cost, duration, requester, and its hosts before and after. */
export function PlanHeadline({ row }: { row: PlanRowDetail }) {
  const { headline } = row.plan;
  const { gain, cost } = headlineParts(row.plan);
  const { made_by: maker, started_by: starter, started_at: startedAt } = headline;
  if (gain.length + cost.length === 0) return null;
  return (
    <section className="vigil-headline" aria-label={text('gain.headline')}>
      <p className="vigil-headline-gain">{gain.length > 0 ? gain.join(' · ') : cost[0]}</p>
      <p>{(gain.length > 0 ? cost : cost.slice(1)).join(' · ')}</p>
      {(maker ?? starter) !== null && (
        <p className="vigil-subtle">
          {maker !== null && text('gain.requestedBy', { who: maker })}
          {maker !== null && starter !== null && ', '}
          {starter !== null &&
            richText(maker === null ? 'gain.onlyStartedBy' : 'gain.startedBy', {
              who: starter,
              time: <Time at={startedAt} />,
            })}
        </p>
      )}
      <SideEffects effects={headline.side_effects} />
      <HostStrip row={row} />
    </section>
  );
}

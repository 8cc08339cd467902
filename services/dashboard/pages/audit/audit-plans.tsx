import { useQuery } from '@tanstack/react-query';
import { type Audit, dataOf } from '#libs/client';
import type { PlanRowList } from '../../api/list-types.ts';
import { CurveCard } from '../../components/curve-card.tsx';
import { PlanLink } from '../../components/links.tsx';
import { HeadlineLine } from '../../components/plan-headline.tsx';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useLiveEntities } from '../../live/use-live.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';

/** Plans of an audit, newest first, with their expected gains. */
export function AuditPlans({ audit }: { audit: Audit }) {
  const path = `lists/action-plans?audit=${audit.uuid}`;
  const { data, isPending, error } = useStreamQuery<PlanRowList>(path, ['action_plan'], { settleMs: 1_000 });
  return (
    <TitledCard isFullHeight title={text('page.plans')}>
      {isPending && <Loading what={text('page.plans')} />}
      {error && !data && <Failure title={text('audit.plansUnreadable')} error={error} />}
      {data?.plans.length === 0 && (
        <p>{audit.state === 'PENDING' || audit.state === 'ONGOING' ? text('audit.notYet') : text('audit.noPlans')}</p>
      )}
      <ul className="vigil-rows">
        {data?.plans.map((plan) => (
          <li key={plan.uuid}>
            <PlanLink uuid={plan.uuid} undone={plan.rolls_back} /> <PlanState plan={plan} />
            <div>
              <HeadlineLine plan={plan} />
            </div>
            {plan.state !== 'RECOMMENDED' && <PlanProgress plan={plan} />}
          </li>
        ))}
      </ul>
      {data && data.total > data.plans.length && (
        <p className="vigil-subtle">{text('audit.newest', { count: data.plans.length, total: data.total })}</p>
      )}
    </TitledCard>
  );
}

/** Plans of several sizes, once a search has found some. */
export function AuditCurve({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const mayPlan = useMay('audit:create');
  const params = { params: { path: { ident: audit.uuid } } };
  const plans = useLiveEntities('action_plan').filter((plan) => plan.audit_uuid === audit.uuid);
  const states = plans.map(({ uuid, state }) => `${uuid} ${state}`).toSorted();
  const query = useQuery({
    queryKey: ['audit-variants', audit.uuid, audit.state, audit.updated_at, states],
    queryFn: () => dataOf(client.api.GET('/v1/audits/{ident}/variants', params)),
    placeholderData: (known) => known,
  });
  if (query.isError && !query.data) return <Failure title={text('curve.unreadable')} error={query.error} />;
  if (!query.data) return null;
  const plan = (budget: number) =>
    dataOf(client.api.POST('/v1/audits/{ident}/plan', { ...params, body: { moves: budget } }));
  return <CurveCard variants={query.data.variants} plan={mayPlan ? plan : undefined} />;
}

import { PageSection } from '@patternfly/react-core';
import { Link } from 'react-router';
import type { AuditRowList } from '../../api/list-types.ts';
import { GoalName } from '../../components/display-names.tsx';
import { AuditLink, PlanLink } from '../../components/links.tsx';
import { numberText, roundedText, wholePercent } from '../../components/number-text.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { HeadlineLine } from '../../components/plan-headline.tsx';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { SpreadLines } from '../../components/spread-lines.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time, zoneName } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useClusterSummary } from '../../live/use-cluster-summary.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { Attention } from './attention.tsx';
import { Health } from './health.tsx';
import { useOpenPlans } from './use-open-plans.ts';

const shown = 6;

/** Health, load, and current plans. */
export function OverviewPage() {
  return (
    <>
      <PageHeader title={text('page.overview')}>{text('overview.hint')}</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <div className="vigil-halves">
          <div className="vigil-halves-whole">
            <Attention />
          </div>
          <div className="vigil-halves-whole">
            <Numbers />
          </div>
          <TitledCard
            isFullHeight
            title={text('overview.openPlans')}
            more={<Link to="/plans">{text('overview.allPlans')}</Link>}
          >
            <RunningPlans />
          </TitledCard>
          <TitledCard
            isFullHeight
            title={text('overview.lastAudits')}
            more={<Link to="/audits">{text('overview.allAudits')}</Link>}
          >
            <LastAudits />
          </TitledCard>
          <TitledCard
            isFullHeight
            title={text('charts.spreadOver', { zone: zoneName() })}
            more={<Link to="/cluster">{text('page.cluster')}</Link>}
          >
            <SpreadLines />
          </TitledCard>
          <TitledCard
            isFullHeight
            title={text('overview.health')}
            more={<Link to="/services">{text('page.services')}</Link>}
          >
            <Health />
          </TitledCard>
        </div>
      </PageSection>
    </>
  );
}

function Numbers() {
  const { data, isError, error, refetch } = useClusterSummary('cluster/summary?hosts=false');
  if (isError && !data)
    return <Failure title={text('overview.clusterUnreadable')} error={error} onRetry={() => void refetch()} />;
  const totals = data?.totals;
  const loading = <Loading what={text('page.cluster')} as="line" />;
  const share = (use: { used: number; capacity: number }) =>
    use.capacity > 0 ? wholePercent((100 * use.used) / use.capacity) : text('overview.noCapacity');
  const load = (of: (load: { mean: number; deviation: number }) => string) =>
    totals && (totals.cpu_load ? of(totals.cpu_load) : text('overview.notMeasured'));
  const numbers = [
    [
      text('column.hosts'),
      totals && roundedText(totals.hosts_enabled),
      totals ? text('overview.enabled', { count: totals.hosts }) : '\u00a0',
    ],
    [
      text('column.instances'),
      totals && roundedText(totals.instances),
      totals ? text('overview.empty', { count: totals.hosts_empty }) : '\u00a0',
    ],
    [text('column.vcpus'), totals && share(totals.vcpus), text('common.allocated')],
    [text('column.memory'), totals && share(totals.memory), text('common.allocated')],
    [text('charts.cpuLoadOf'), load(({ mean }) => wholePercent(mean)), text('overview.mean')],
    [
      text('charts.deviation'),
      load(({ deviation }) => numberText(Math.round(deviation * 10) / 10, '%')),
      text('overview.ofCpuLoad'),
    ],
  ] as const;
  return (
    <dl className="vigil-numbers">
      {numbers.map(([name, value, detail]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? loading}</dd>
          <dd className="vigil-numbers-detail">{detail}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Open plans by urgency, with their headlines. */
function RunningPlans() {
  const { data, isPending, error } = useOpenPlans();
  if (isPending) return <Loading what={text('page.plans')} />;
  if (!data) return <Failure title={text('overview.plansUnreadable')} error={error} />;
  if (data.plans.length === 0) return <p>{text('overview.noPlans')}</p>;
  return (
    <ul className="vigil-rows">
      {data.plans.slice(0, shown).map((plan) => (
        <li key={plan.uuid}>
          <span className="vigil-row-line">
            <PlanLink uuid={plan.uuid} undone={plan.rolls_back} /> <PlanState plan={plan} />{' '}
            <AuditLink uuid={plan.audit_uuid} name={plan.audit_name} />
          </span>
          <HeadlineLine plan={plan} />
          {plan.state !== 'RECOMMENDED' && <PlanProgress plan={plan} />}
        </li>
      ))}
    </ul>
  );
}

function LastAudits() {
  const { data, isPending, error } = useStreamQuery<AuditRowList>(`lists/audits?limit=${shown}`, ['audit'], {
    settleMs: 1_000,
  });
  if (isPending) return <Loading what={text('page.audits')} />;
  if (!data) return <Failure title={text('overview.auditsUnreadable')} error={error} />;
  if (data.audits.length === 0)
    return (
      <p>{richText('overview.noAudits', { link: <Link to="/audits/new">{text('overview.createFirst')}</Link> })}</p>
    );
  return (
    <ul className="vigil-rows">
      {data.audits.map((audit) => (
        <li key={audit.uuid} className="vigil-row-line">
          <AuditLink uuid={audit.uuid} name={audit.name} /> <StateLabel state={audit.state} />{' '}
          <GoalName name={audit.goal_name} />
          <span className="vigil-subtle">
            <Time at={audit.created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

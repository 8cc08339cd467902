import { Button, PageSection } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { dataOf, type HostUse } from '#libs/client';
import { serverClock } from '../../api/server-clock.ts';
import { compareNames } from '../../components/compare-names.ts';
import { StrategyName } from '../../components/display-names.tsx';
import { AuditLink, HostLink, shortId } from '../../components/links.tsx';
import { gibText } from '../../components/number-text.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PlanHeadline, RequestedBy, usePlanRow } from '../../components/plan-headline.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { Prose } from '../../components/prose.tsx';
import { ReportTable } from '../../components/report-table.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { fullTime, Time } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { useKnownActions, useKnownPlan } from '../../live/use-known.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { actionLabel, namesIn, routeOf } from './action-text.ts';
import { PlanComments } from './plan-comments.tsx';
import { PlanOutcome } from './plan-outcome.tsx';
import { WithoutPlan } from './without-plan.tsx';

/** A plan on one page for paper: its gain and cost, its hosts before and after, its outcome, and all its actions. */
export function PlanReportPage() {
  const { uuid = '' } = useParams();
  const { entity: plan, error } = useKnownPlan(uuid);
  if (plan) return <Report plan={plan} />;
  if (error) return <Failure title={text('plan.unreadable')} error={error} />;
  if (plan === undefined) return <Loading what={text('column.plan')} as="table" />;
  return <Nothing title={text('plan.unknown')}>{text('plan.maybeDeleted')}</Nothing>;
}

function Report({ plan }: { plan: LivePlan }) {
  const row = usePlanRow(plan.uuid, plan.state);
  const title = text('plan.title', { id: shortId(plan.uuid) });
  return (
    <>
      <PageHeader
        title={text('planReport.title', { id: shortId(plan.uuid) })}
        label={<PlanState plan={plan} />}
        above={[
          { title: text('page.plans'), to: '/plans' },
          { title, to: `/plans/${plan.uuid}` },
        ]}
        actions={<Button onClick={() => window.print()}>{text('planReport.print')}</Button>}
      >
        {richText('plan.createdBy', {
          strategy: <StrategyName name={plan.strategy_name} />,
          audit: <AuditLink uuid={plan.audit_uuid} name={row.data?.plan.audit_name ?? null} />,
          time: <Time isFull at={plan.created_at} />,
          change: plan.updated_at && <>{richText('plan.lastChange', { time: <Time isFull at={plan.updated_at} /> })}</>,
        })}{' '}
        <RequestedBy row={row.data} />
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <div className="vigil-stack">
          {plan.status_message && (
            <p>
              <Prose text={plan.status_message} />
            </p>
          )}
          <PlanHeadline query={row} plan={plan} />
          <WithoutPlan row={row.data} isExpanded />
          <ReportHosts planUuid={plan.uuid} />
          <PlanOutcome plan={plan} />
          <PlanComments plan={plan} isReport />
          <ReportActions planUuid={plan.uuid} />
          <p className="vigil-subtle" data-literal>
            {text('planReport.created', { time: fullTime(serverClock.now()), url: window.location.href })}
          </p>
        </div>
      </PageSection>
    </>
  );
}

/** Hosts that the plan changes, before and after it. */
function ReportHosts({ planUuid }: { planUuid: string }) {
  const { client } = useDashboard();
  const isAllowed = useMay('data_model:get_all');
  const preview = useQuery({
    queryKey: ['plan-preview', planUuid],
    enabled: isAllowed,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: planUuid } } })),
  });
  if (!isAllowed) return null;
  if (preview.isPending) return <Loading what={text('plan.hosts')} as="table" />;
  if (preview.isError) return <Failure title={text('plan.hostsUnreadable')} error={preview.error} />;
  const touched = preview.data.hosts.flatMap((host) => {
    const { hostname, before, after, instances_in: into, instances_out: out } = host;
    if (!before || !after || (into + out === 0 && before.enabled === after.enabled)) return [];
    return [{ hostname, before, after }];
  });
  touched.sort((left, right) => compareNames(left.hostname, right.hostname));
  return (
    <TitledCard title={text('planReport.hosts')}>
      {touched.length === 0 ? (
        text('changes.none')
      ) : (
        <ReportTable
          label={text('planReport.hosts')}
          titles={[text('column.host'), text('column.instances'), text('column.vcpus'), text('column.memory')]}
          rows={touched.map(({ hostname, before, after }) => ({
            key: hostname,
            cells: [
              <HostLink key="host" hostname={hostname} />,
              changeOf(before, after, (use) => String(use.instances)),
              changeOf(before, after, (use) => String(use.vcpus)),
              changeOf(before, after, (use) => gibText(use.memory)),
            ],
          }))}
        />
      )}
    </TitledCard>
  );
}

function changeOf(before: HostUse, after: HostUse, written: (use: HostUse) => string): string {
  const [from, to] = [written(before), written(after)];
  return from === to ? from : `${from} → ${to}`;
}

function ReportActions({ planUuid }: { planUuid: string }) {
  const { actions, error, refetch } = useKnownActions(planUuid);
  if (!actions && error) return <Failure title={text('plan.actionsUnreadable')} error={error} onRetry={refetch} />;
  if (!actions) return <Loading what={text('column.actions')} as="table" />;
  const nameOf = namesIn(actions);
  return (
    <TitledCard title={text('column.actions')}>
      <ReportTable
        label={text('column.actions')}
        titles={[text('column.action'), text('column.state'), text('plan.location'), text('plan.message')]}
        rows={actions.map((action) => ({
          key: action.uuid,
          cells: [
            actionLabel(action),
            <StateLabel key="state" state={action.state} />,
            routeOf(action),
            action.status_message ? <Prose key="message" text={action.status_message} nameOf={nameOf} /> : '–',
          ],
        }))}
      />
    </TitledCard>
  );
}

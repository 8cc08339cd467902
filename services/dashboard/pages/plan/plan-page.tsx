import { Alert, Drawer, DrawerContent, DrawerContentBody, PageSection } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type ActionPlan, dataOf } from '#libs/client';
import { useDashboard } from '../../api/dashboard-context.tsx';
import { AuditLink, shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { PlanProgress, useProgressByPlan } from '../../components/plan-progress.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { useIsComplete, useLiveEntity, usePlanActions } from '../../live/use-live.ts';
import { useOnStream } from '../../live/use-on-stream.ts';
import { ActionDetail } from './action-detail.tsx';
import { PlanActions } from './plan-actions.tsx';
import { PlanControls } from './plan-controls.tsx';
import { PlanGraph } from './plan-graph.tsx';
import { PlanHosts } from './plan-hosts.tsx';
import { PlanOutcome } from './plan-outcome.tsx';
import { PlanTimeline } from './plan-timeline.tsx';

/** One action plan. */
export function PlanPage() {
  const { uuid = '' } = useParams();
  const plan = useLiveEntity('action_plan', uuid);
  const isComplete = useIsComplete();
  if (plan) return <KnownPlan plan={plan} />;
  if (!isComplete) return <Loading what="plan" />;
  return <Nothing title="There is no such action plan">It may have been deleted.</Nothing>;
}

function KnownPlan({ plan }: { plan: ActionPlan }) {
  const { client } = useDashboard();
  const actions = usePlanActions(plan.uuid);
  const progress = useProgressByPlan().get(plan.uuid) ?? { total: 0, ended: 0, failed: 0 };
  const [chosen, setChosen] = useState<string | null>(null);
  const outcome = useQuery({
    queryKey: ['plan-outcome', plan.uuid, plan.state, plan.updated_at],
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/outcome', { params: { path: { ident: plan.uuid } } })),
    placeholderData: (known) => known,
  });
  // The effect is measured some time after the end, which is no change of the plan itself.
  const measured = outcome.data?.outcome as { after?: object | null } | null | undefined;
  useOnStream(() => void outcome.refetch(), !measured?.after);
  const action = actions.find((known) => known.uuid === chosen);
  const detail = action && (
    <ActionDetail
      action={action}
      canSkip={plan.state === 'RECOMMENDED' || plan.state === 'PENDING'}
      onClose={() => setChosen(null)}
    />
  );
  return (
    <>
      <PageHeader
        title={`Action plan ${shortId(plan.uuid)}`}
        label={<StateLabel state={plan.state} />}
        above={[{ title: 'Action plans', to: '/plans' }]}
        actions={<PlanControls plan={plan} outcome={outcome.data} onChanged={() => void outcome.refetch()} />}
      >
        Made by {plan.strategy_name} for the audit <AuditLink uuid={plan.audit_uuid} />.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {plan.status_message && <Alert isInline variant="info" title={plan.status_message} />}
        {outcome.data?.paused && <Alert isInline variant="warning" title="Paused: no further action begins" />}
        <PlanProgress {...progress} />
        <Drawer isExpanded={detail !== undefined} isInline>
          <DrawerContent panelContent={detail}>
            <DrawerContentBody>
              <PageTabs
                label="Parts of the plan"
                tabs={[
                  {
                    key: 'graph',
                    title: 'Graph',
                    render: () => <PlanGraph actions={actions} chosen={chosen} onChoose={setChosen} />,
                  },
                  {
                    key: 'actions',
                    title: 'Actions',
                    render: () => <PlanActions actions={actions} onChoose={setChosen} />,
                  },
                  { key: 'hosts', title: 'Before and after', render: () => <PlanHosts planUuid={plan.uuid} /> },
                  { key: 'timeline', title: 'Timeline', render: () => <PlanTimeline actions={actions} /> },
                  {
                    key: 'outcome',
                    title: 'Outcome',
                    render: () => <PlanOutcome plan={plan} outcome={outcome.data} />,
                  },
                ]}
              />
            </DrawerContentBody>
          </DrawerContent>
        </Drawer>
      </PageSection>
    </>
  );
}

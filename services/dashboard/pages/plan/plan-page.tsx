import { Alert, Drawer, DrawerContent, DrawerContentBody, PageSection } from '@patternfly/react-core';
import { useParams, useSearchParams } from 'react-router';
import { StrategyName } from '../../components/display-names.tsx';
import { AuditLink, shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { PlanHeadline, usePlanRow } from '../../components/plan-headline.tsx';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { Prose } from '../../components/prose.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import type { LivePlan } from '../../live/live-entities.ts';
import { useKnownActions, useKnownPlan } from '../../live/use-known.ts';
import { ActionDetail } from './action-detail.tsx';
import { namesIn } from './action-text.ts';
import { PlanActions } from './plan-actions.tsx';
import { PlanControls } from './plan-controls.tsx';
import { PlanFailure } from './plan-failure.tsx';
import { PlanGraph, stepElement } from './plan-graph.tsx';
import { PlanHosts } from './plan-hosts.tsx';
import { PlanMap } from './plan-map.tsx';
import { PlanNotes } from './plan-notes.tsx';
import { PlanOutcome } from './plan-outcome.tsx';
import { PlanRun } from './plan-run.tsx';
import { PlanTimeline } from './plan-timeline.tsx';

/** One action plan. */
export function PlanPage() {
  const { uuid = '' } = useParams();
  const { entity: plan, error } = useKnownPlan(uuid);
  if (plan) return <KnownPlan plan={plan} />;
  if (error) return <Failure title="The plan cannot be read" error={error} />;
  if (plan === undefined) return <Loading what="plan" />;
  return <Nothing title="There is no such action plan">It may have been deleted.</Nothing>;
}

function KnownPlan({ plan }: { plan: LivePlan }) {
  const actions = useKnownActions(plan.uuid);
  const row = usePlanRow(plan.uuid, plan.state);
  const mayPreview = useMay('data_model:get_all');
  const [query, setQuery] = useSearchParams();
  const chosen = query.get('action');
  const choose = (uuid: string | null) =>
    setQuery((known) => {
      if (uuid === null) known.delete('action');
      else known.set('action', uuid);
      return known;
    });
  const nameOf = namesIn(actions);
  const canSkip = plan.state === 'RECOMMENDED' || plan.state === 'PENDING';
  const action = actions.find((known) => known.uuid === chosen);
  const close = () => {
    // Who came by keyboard goes on where they were.
    if (chosen) stepElement(document, chosen)?.focus();
    choose(null);
  };
  const detail = action && <ActionDetail action={action} canSkip={canSkip} onClose={close} />;
  return (
    <>
      <PageHeader
        title={`Action plan ${shortId(plan.uuid)}`}
        label={<PlanState plan={plan} />}
        above={[{ title: 'Action plans', to: '/plans' }]}
        actions={<PlanControls plan={plan} />}
      >
        Made by <StrategyName name={plan.strategy_name} /> for the audit{' '}
        <AuditLink uuid={plan.audit_uuid} name={row?.plan.audit_name ?? null} />, <Time isFull at={plan.created_at} />
        {plan.updated_at && (
          <>
            ; last change <Time isFull at={plan.updated_at} />
          </>
        )}
        .
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {plan.status_message && !actions.some(({ state }) => state === 'FAILED') && (
          <Alert
            isInline
            variant={plan.state === 'FAILED' ? 'danger' : 'info'}
            title={<Prose text={plan.status_message} nameOf={nameOf} />}
          />
        )}
        {row && <PlanHeadline row={row} />}
        <PlanFailure plan={plan} actions={actions} onChoose={choose} />
        <PlanNotes plan={plan} />
        <PlanProgress plan={plan} />
        <Drawer isExpanded={detail !== undefined} isInline>
          <DrawerContent panelContent={detail}>
            <DrawerContentBody>
              <PageTabs
                label="Parts of the plan"
                tabs={[
                  {
                    key: 'run',
                    title: 'Run',
                    render: () => <PlanRun planUuid={plan.uuid} actions={actions} onChoose={choose} />,
                  },
                  {
                    key: 'graph',
                    title: 'Graph',
                    render: () => <PlanGraph actions={actions} chosen={chosen} onChoose={choose} />,
                  },
                  {
                    key: 'actions',
                    title: 'Actions',
                    render: () => <PlanActions actions={actions} canSkip={canSkip} onChoose={choose} />,
                  },
                  ...(mayPreview
                    ? [{ key: 'map', title: 'Map', render: () => <PlanMap planUuid={plan.uuid} actions={actions} /> }]
                    : []),
                  { key: 'hosts', title: 'Hosts', render: () => <PlanHosts planUuid={plan.uuid} /> },
                  {
                    key: 'timeline',
                    title: 'Timeline',
                    render: () => <PlanTimeline planUuid={plan.uuid} actions={actions} />,
                  },
                  {
                    key: 'outcome',
                    title: 'Outcome',
                    render: () => <PlanOutcome plan={plan} />,
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

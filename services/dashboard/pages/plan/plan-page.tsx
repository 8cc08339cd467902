import { Drawer, DrawerContent, DrawerContentBody, PageSection } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { PlanRowDetail } from '../../api/list-types.ts';
import { StrategyName } from '../../components/display-names.tsx';
import { AuditLink, shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { PlanHeadline, RequestedBy, usePlanRow } from '../../components/plan-headline.tsx';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { Prose } from '../../components/prose.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { stripQuantity } from '../../components/strip-quantity.ts';
import { Time } from '../../components/time.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import type { LiveKinds, LivePlan } from '../../live/live-entities.ts';
import { type KnownActions, useKnownActions, useKnownPlan } from '../../live/use-known.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { ActionDetail } from './action-detail.tsx';
import { namesIn } from './action-text.ts';
import { PlanActions } from './plan-actions.tsx';
import { PlanApproval } from './plan-approval.tsx';
import { PlanComments } from './plan-comments.tsx';
import { PlanControls } from './plan-controls.tsx';
import { PlanFailure } from './plan-failure.tsx';
import { PlanGraph, stepElement } from './plan-graph.tsx';
import { PlanHosts } from './plan-hosts.tsx';
import { PlanMap } from './plan-map.tsx';
import { PlanNotes } from './plan-notes.tsx';
import { PlanOutcome } from './plan-outcome.tsx';
import { PlanRun } from './plan-run.tsx';
import { PlanTimeline } from './plan-timeline.tsx';
import { type MapOfPlan, mapTab, useMapOfPlan } from './use-map-of-plan.ts';
import { WithoutPlan } from './without-plan.tsx';

/** One action plan. */
export function PlanPage() {
  const { uuid = '' } = useParams();
  const { entity: plan, error } = useKnownPlan(uuid);
  // Read beside the plan, which the page needs first.
  const parts = { known: useKnownActions(uuid), row: usePlanRow(uuid, plan?.state), map: useMapOfPlan(uuid) };
  if (plan) return <KnownPlan plan={plan} {...parts} />;
  if (error) return <Failure title={text('plan.unreadable')} error={error} />;
  if (plan === undefined) return <Loading what={text('column.plan')} as="table" />;
  return <Nothing title={text('plan.unknown')}>{text('plan.maybeDeleted')}</Nothing>;
}

const none: readonly LiveKinds['action'][] = [];

interface KnownPlanProps {
  plan: LivePlan;
  known: KnownActions;
  row: ReturnType<typeof usePlanRow>;
  map: MapOfPlan;
}

function KnownPlan({ plan, known, row, map }: KnownPlanProps) {
  const actions = known.actions ?? none;
  const [query, setQuery] = useSearchParams();
  const chosen = query.get('action');
  const choose = (uuid: string | null) =>
    setQuery((known) => {
      if (uuid === null) known.delete('action');
      else known.set('action', uuid);
      return known;
    });
  const nameOf = namesIn(actions);
  const action = actions.find((known) => known.uuid === chosen);
  const close = () => {
    // Keyboard users continue at their position.
    if (chosen) stepElement(document, chosen)?.focus();
    choose(null);
  };
  const isTabLoading = map.isLoading || (known.actions === undefined && known.error === null);
  const detail = action && <ActionDetail action={action} canSkip={isSkippable(plan)} onClose={close} />;
  return (
    <>
      <PageHeader
        title={text('plan.title', { id: shortId(plan.uuid) })}
        label={<PlanState plan={plan} />}
        above={[{ title: text('page.plans'), to: '/plans' }]}
        actions={
          <span className="vigil-row-line">
            <Link to={`/plans/${plan.uuid}/report`}>{text('planReport.link')}</Link>
            <PlanControls plan={plan} />
          </span>
        }
      >
        {richText('plan.createdBy', {
          strategy: <StrategyName name={plan.strategy_name} />,
          audit: <AuditLink uuid={plan.audit_uuid} name={row.data?.plan.audit_name ?? null} />,
          time: <Time at={plan.created_at} />,
          change: plan.updated_at && <>{richText('plan.lastChange', { time: <Time at={plan.updated_at} /> })}</>,
        })}{' '}
        <RequestedBy row={row.data} />
      </PageHeader>
      <PageSection hasBodyWrapper={false} className="vigil-plan">
        {plan.status_message && !actions.some(({ state }) => state === 'FAILED') && (
          <Alert
            isInline
            variant={plan.state === 'FAILED' ? 'danger' : 'info'}
            title={<Prose text={plan.status_message} nameOf={nameOf} />}
          />
        )}
        <PlanApproval plan={plan} />
        <PlanHeadline query={row} plan={plan} />
        <WithoutPlan row={row.data} />
        <PlanFailure plan={plan} actions={actions} onChoose={choose} />
        <PlanNotes plan={plan} />
        {plan.state !== 'RECOMMENDED' && <PlanProgress plan={plan} />}
        <Drawer isExpanded={detail !== undefined} isInline>
          <DrawerContent panelContent={detail}>
            <DrawerContentBody>
              <PlanTabs plan={plan} row={row.data} known={known} map={map} chosen={chosen} onChoose={choose} />
            </DrawerContentBody>
          </DrawerContent>
        </Drawer>
        {/* Their place depends on the height of the tab. */}
        {!isTabLoading && <PlanComments plan={plan} />}
      </PageSection>
    </>
  );
}

interface PlanTabsProps {
  plan: LivePlan;
  row: PlanRowDetail | undefined;
  known: KnownActions;
  map: MapOfPlan;
  /** Uuid of the action whose detail is open. */
  chosen: string | null;
  onChoose: (uuid: string | null) => void;
}

/** The parts of the page of a plan. Those that need the actions show whether these load or failed to load. */
function PlanTabs({ plan, row, known, map, chosen, onChoose }: PlanTabsProps) {
  const actions = known.actions ?? none;
  const mayPreview = useMay('data_model:get_all');
  const canSkip = isSkippable(plan);
  /** A tab that needs the actions. */
  const loaded = (render: () => ReactNode) => () => {
    if (known.actions) return render();
    if (!known.error) return <Loading what={text('column.actions')} as="table" />;
    return <Failure title={text('plan.actionsUnreadable')} error={known.error} onRetry={known.refetch} />;
  };
  return (
    <PageTabs
      label={text('plan.parts')}
      tabs={[
        {
          key: 'run',
          title: text('plan.tab.run'),
          render: loaded(() => <PlanRun plan={plan} actions={actions} onChoose={onChoose} />),
        },
        {
          key: 'graph',
          title: text('plan.tab.graph'),
          render: loaded(() => <PlanGraph actions={actions} chosen={chosen} onChoose={onChoose} />),
        },
        {
          key: 'actions',
          title: text('plan.tab.actions'),
          render: loaded(() => <PlanActions actions={actions} canSkip={canSkip} onChoose={onChoose} />),
        },
        ...(mayPreview
          ? [
              {
                key: mapTab,
                title: text('plan.tab.map'),
                render: loaded(() => <PlanMap map={map} actions={actions} quantity={row && stripQuantity(row)} />),
              },
            ]
          : []),
        { key: 'hosts', title: text('plan.tab.hosts'), render: () => <PlanHosts planUuid={plan.uuid} /> },
        {
          key: 'timeline',
          title: text('plan.tab.timeline'),
          render: loaded(() => <PlanTimeline planUuid={plan.uuid} actions={actions} />),
        },
        {
          key: 'outcome',
          title: text('plan.tab.outcome'),
          render: () => <PlanOutcome plan={plan} />,
        },
      ]}
    />
  );
}

/** Whether actions of the plan can still be skipped. */
function isSkippable({ state }: LivePlan): boolean {
  return state === 'RECOMMENDED' || state === 'PENDING';
}

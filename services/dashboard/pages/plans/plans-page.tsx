import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { AuditLink, PlanLink, shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { countsOf } from '../../components/plan-counts.ts';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState, shownState } from '../../components/plan-state.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import type { LivePlan } from '../../live/live-entities.ts';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';

const states = [
  'RECOMMENDED',
  'PENDING',
  'ONGOING',
  'PAUSED',
  'SUCCEEDED',
  'FAILED',
  'CANCELLING',
  'CANCELLED',
  'SUPERSEDED',
  'SUSPENDED',
] as const;

/** All action plans. */
export function PlansPage() {
  const plans = useLiveEntities('action_plan');
  const isComplete = useIsComplete();
  const displayName = useDisplayNames();
  const [state, setState] = useQueryValue('state');
  const rows = useMemo(
    () => (state === '' ? plans : plans.filter((plan) => shownState(plan) === state)),
    [plans, state],
  );
  const columns = useMemo<Column<LivePlan>[]>(
    () => [
      { title: 'Plan', value: (plan) => shortId(plan.uuid), render: (plan) => <PlanLink uuid={plan.uuid} /> },
      { title: 'State', value: shownState, render: (plan) => <PlanState plan={plan} /> },
      {
        title: 'Strategy',
        value: (plan) => displayName(plan.strategy_name),
        render: (plan) => displayName(plan.strategy_name) ?? '–',
      },
      { title: 'Audit', render: (plan) => <AuditLink uuid={plan.audit_uuid} /> },
      {
        title: 'Actions',
        value: (plan) => countsOf(plan).total,
        render: (plan) => <PlanProgress plan={plan} />,
      },
      { title: 'Created', value: (plan) => millisOf(plan.created_at), render: (plan) => <Time at={plan.created_at} /> },
    ],
    [displayName],
  );
  return (
    <>
      <PageHeader title="Action plans">
        What audits recommend, and what has become of it. Start a plan from its own page.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {isComplete ? (
          <DataTable
            label="Action plans"
            rows={rows}
            columns={columns}
            rowKey={(plan) => plan.uuid}
            sortBy={{ index: 5, direction: 'desc' }}
            isFiltered={state !== ''}
            filters={<ChoiceFilter label="State" value={state} choices={states} onChange={setState} />}
            empty={<Nothing title="No action plans yet">An audit that finds something to improve makes one.</Nothing>}
          />
        ) : (
          <Loading what="action plans" />
        )}
      </PageSection>
    </>
  );
}

import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { ActionPlan } from '#libs/client';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { AuditLink, PlanLink, shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { noProgress, PlanProgress, useProgressByPlan } from '../../components/plan-progress.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';

const states = [
  'RECOMMENDED',
  'PENDING',
  'ONGOING',
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
  const progress = useProgressByPlan();
  const [state, setState] = useQueryValue('state');
  const rows = useMemo(() => (state === '' ? plans : plans.filter((plan) => plan.state === state)), [plans, state]);
  const columns = useMemo<Column<ActionPlan>[]>(
    () => [
      { title: 'Plan', value: (plan) => shortId(plan.uuid), render: (plan) => <PlanLink uuid={plan.uuid} /> },
      { title: 'State', value: (plan) => plan.state, render: (plan) => <StateLabel state={plan.state} /> },
      { title: 'Strategy', value: (plan) => plan.strategy_name, render: (plan) => plan.strategy_name ?? '–' },
      { title: 'Audit', render: (plan) => <AuditLink uuid={plan.audit_uuid} /> },
      {
        title: 'Actions',
        value: (plan) => progress.get(plan.uuid)?.total ?? 0,
        render: (plan) => <PlanProgress progress={progress.get(plan.uuid) ?? noProgress} />,
      },
      { title: 'Created', value: (plan) => millisOf(plan.created_at), render: (plan) => <Time at={plan.created_at} /> },
    ],
    [progress],
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

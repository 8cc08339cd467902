import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { PlanRow, PlanRowList } from '../../api/list-types.ts';
import { BulkButton, useBulk } from '../../components/bulk.tsx';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import type { Column } from '../../components/data-table.tsx';
import { useDisplayNames } from '../../components/display-names.tsx';
import { AuditLink, PlanLink, shortId } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { HeadlineLine } from '../../components/plan-headline.tsx';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { SavedViewsMenu } from '../../components/saved-views-menu.tsx';
import { Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';

const states = [
  'OPEN',
  'UNAPPROVED',
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

const rowKey = (plan: PlanRow) => plan.uuid;
const nameOf = (plan: PlanRow) => text('plans.one', { id: shortId(plan.uuid) });
/** They have not started, so cancelling them is immediate. */
const cancellable = new Set(['RECOMMENDED', 'PENDING']);
const deletable = new Set(['RECOMMENDED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED']);
const pageOf = ({ plans, total }: PlanRowList) => ({ rows: plans, total });

/** All action plans. */
export function PlansPage() {
  const displayName = useDisplayNames();
  const { client } = useDashboard();
  const mayUpdate = useMay('action_plan:update');
  const mayDelete = useMay('action_plan:delete');
  const bulk = useBulk(rowKey, nameOf);
  const [state, setState] = useQueryValue('state');
  const columns = useMemo<Column<PlanRow>[]>(
    () => [
      {
        title: text('column.plan'),
        name: 'plan',
        sort: 'plan',
        render: (plan) => <PlanLink uuid={plan.uuid} undone={plan.rolls_back} />,
      },
      { title: text('column.state'), name: 'state', sort: 'state', render: (plan) => <PlanState plan={plan} /> },
      { title: text('column.gain'), name: 'headline', render: (plan) => <HeadlineLine plan={plan} /> },
      {
        title: text('column.progress'),
        name: 'progress',
        render: (plan) => (plan.state === 'RECOMMENDED' ? null : <PlanProgress plan={plan} />),
      },
      {
        title: text('column.strategy'),
        name: 'strategy',
        sort: 'strategy',
        render: (plan) => displayName(plan.strategy_name),
      },
      {
        title: text('column.audit'),
        name: 'audit',
        sort: 'audit',
        render: (plan) => <AuditLink uuid={plan.audit_uuid} name={plan.audit_name} />,
      },
      {
        title: text('column.created'),
        name: 'created',
        sort: 'created',
        render: (plan) => <Time at={plan.created_at} />,
      },
    ],
    [displayName],
  );
  return (
    <>
      <PageHeader title={text('page.plans')} actions={<SavedViewsMenu page="plans" />}>
        {text('plans.hint')}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PagedTable<PlanRow, PlanRowList>
          label={text('page.plans')}
          path="lists/action-plans"
          query={{ state }}
          pageOf={pageOf}
          columns={columns}
          rowKey={rowKey}
          sortBy={{ index: 6, direction: 'desc' }}
          kinds={['action_plan']}
          {...(mayUpdate || mayDelete ? { selection: bulk.selection } : {})}
          filters={
            <>
              <ChoiceFilter label={text('column.state')} value={state} choices={states} onChange={setState} />
              {mayUpdate && (
                <BulkButton
                  bulk={bulk}
                  label={text('do.cancel')}
                  what={(count) => text('plans.noun', { count })}
                  fits={(plan) => cancellable.has(plan.state)}
                  run={(ident) =>
                    client.api.PATCH('/v1/action_plans/{ident}', {
                      params: { path: { ident } },
                      body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
                    })
                  }
                >
                  {text('plans.cancelHint')}
                </BulkButton>
              )}
              {mayDelete && (
                <BulkButton
                  bulk={bulk}
                  label={text('do.delete')}
                  what={(count) => text('plans.noun', { count })}
                  fits={(plan) => deletable.has(plan.state)}
                  run={(ident) => client.api.DELETE('/v1/action_plans/{ident}', { params: { path: { ident } } })}
                >
                  {text('plans.deleteHint')}
                </BulkButton>
              )}
            </>
          }
          empty={<Nothing title={text('plans.none')}>{text('plans.noneHint')}</Nothing>}
        />
      </PageSection>
    </>
  );
}

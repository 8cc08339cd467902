import { Button, PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Audit } from '#libs/client';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';

const states = ['PENDING', 'ONGOING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED'] as const;
const types = ['ONESHOT', 'CONTINUOUS', 'EVENT'] as const;

const columns: Column<Audit>[] = [
  {
    title: 'Name',
    value: (audit) => audit.name,
    render: (audit) => <Link to={`/audits/${audit.uuid}`}>{audit.name}</Link>,
  },
  { title: 'State', value: (audit) => audit.state, render: (audit) => <StateLabel state={audit.state} /> },
  { title: 'Type', value: (audit) => audit.audit_type, render: (audit) => audit.audit_type },
  { title: 'Goal', value: (audit) => audit.goal_name, render: (audit) => <GoalName name={audit.goal_name} /> },
  {
    title: 'Strategy',
    value: (audit) => audit.strategy_name,
    render: (audit) => <StrategyName name={audit.strategy_name} />,
  },
  {
    title: 'Next run',
    value: (audit) => millisOf(audit.next_run_time),
    render: (audit) => <Time at={audit.next_run_time} />,
  },
  { title: 'Created', value: (audit) => millisOf(audit.created_at), render: (audit) => <Time at={audit.created_at} /> },
];

/** All audits. */
export function AuditsPage() {
  const audits = useLiveEntities('audit');
  const isComplete = useIsComplete();
  const [state, setState] = useQueryValue('state');
  const [type, setType] = useQueryValue('type');
  const rows = useMemo(
    () =>
      audits.filter((audit) => (state === '' || audit.state === state) && (type === '' || audit.audit_type === type)),
    [audits, state, type],
  );
  return (
    <>
      <PageHeader title="Audits" actions={<CreateLink />}>
        Requests to look at the cloud, or a part of it, with a goal in mind.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {isComplete ? (
          <DataTable
            label="Audits"
            rows={rows}
            columns={columns}
            rowKey={(audit) => audit.uuid}
            sortBy={{ index: 6, direction: 'desc' }}
            isFiltered={state !== '' || type !== ''}
            filters={
              <>
                <ChoiceFilter label="State" value={state} choices={states} onChange={setState} />
                <ChoiceFilter label="Type" value={type} choices={types} onChange={setType} />
              </>
            }
            empty={
              <Nothing title="No audits yet" action={<CreateLink />}>
                Create one to see what could be better.
              </Nothing>
            }
          />
        ) : (
          <Loading what="audits" />
        )}
      </PageSection>
    </>
  );
}

function CreateLink() {
  const mayCreate = useMay('audit:create');
  if (!mayCreate) return null;
  return (
    <Button component={(props) => <Link {...props} to="/audits/new" />} variant="primary">
      Create audit
    </Button>
  );
}

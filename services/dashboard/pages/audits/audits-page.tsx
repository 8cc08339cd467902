import { Button, PageSection } from '@patternfly/react-core';
import { Link } from 'react-router';
import type { AuditRow, AuditRowList } from '../../api/list-types.ts';
import { BulkButton, useBulk } from '../../components/bulk.tsx';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import type { Column } from '../../components/data-table.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { AuditLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';

const states = ['PENDING', 'ONGOING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED'] as const;
const types = ['ONESHOT', 'CONTINUOUS', 'EVENT'] as const;
const open = new Set(['PENDING', 'ONGOING']);

const columns: Column<AuditRow>[] = [
  { title: 'Name', sort: 'name', render: (audit) => <AuditLink uuid={audit.uuid} name={audit.name} /> },
  { title: 'State', sort: 'state', render: (audit) => <StateLabel state={audit.state} /> },
  { title: 'Type', sort: 'type', render: (audit) => audit.audit_type },
  { title: 'Goal', sort: 'goal', render: (audit) => <GoalName name={audit.goal_name} /> },
  { title: 'Strategy', sort: 'strategy', render: (audit) => <StrategyName name={audit.strategy_name} /> },
  { title: 'Next run', sort: 'next', render: (audit) => <Time at={audit.next_run_time} /> },
  { title: 'Created', sort: 'created', render: (audit) => <Time at={audit.created_at} /> },
];

const rowKey = (audit: AuditRow) => audit.uuid;
const nameOf = (audit: AuditRow) => audit.name;
const pageOf = ({ audits, total }: AuditRowList) => ({ rows: audits, total });

/** All audits. */
export function AuditsPage() {
  const { client } = useDashboard();
  const mayUpdate = useMay('audit:update');
  const mayDelete = useMay('audit:delete');
  const bulk = useBulk(rowKey, nameOf);
  const [state, setState] = useQueryValue('state');
  const [type, setType] = useQueryValue('type');
  return (
    <>
      <PageHeader title="Audits" actions={<CreateLink />}>
        Requests to look at the cloud, or a part of it, with a goal in mind.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PagedTable<AuditRow, AuditRowList>
          label="Audits"
          path="lists/audits"
          query={{ state, type }}
          pageOf={pageOf}
          columns={columns}
          rowKey={rowKey}
          sortBy={{ index: 6, direction: 'desc' }}
          kinds={['audit']}
          {...(mayUpdate || mayDelete ? { selection: bulk.selection } : {})}
          filters={
            <>
              <ChoiceFilter label="State" value={state} choices={states} onChange={setState} />
              <ChoiceFilter label="Type" value={type} choices={types} onChange={setType} />
              {mayUpdate && (
                <BulkButton
                  bulk={bulk}
                  label="Cancel"
                  what="audits"
                  fits={(audit) => open.has(audit.state)}
                  run={(ident) =>
                    client.api.PATCH('/v1/audits/{ident}', {
                      params: { path: { ident } },
                      body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
                    })
                  }
                >
                  They make no plan any more. Plans that they have made stay.
                </BulkButton>
              )}
              {mayDelete && (
                <BulkButton
                  bulk={bulk}
                  label="Delete"
                  what="audits"
                  fits={(audit) => !open.has(audit.state)}
                  run={(ident) => client.api.DELETE('/v1/audits/{ident}', { params: { path: { ident } } })}
                >
                  Audits that do not run are no longer shown.
                </BulkButton>
              )}
            </>
          }
          empty={
            <Nothing title="No audits yet" action={<CreateLink />}>
              Create one to see what could be better.
            </Nothing>
          }
        />
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

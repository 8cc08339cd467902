import { Button, PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { AuditRow, AuditRowList } from '../../api/list-types.ts';
import { BulkButton, useBulk } from '../../components/bulk.tsx';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import type { Column } from '../../components/data-table.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { AuditLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SavedViewsMenu } from '../../components/saved-views-menu.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { auditTypes, auditTypeText } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';

const states = ['PENDING', 'ONGOING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SUSPENDED'] as const;
const open = new Set(['PENDING', 'ONGOING']);

const columns = (): Column<AuditRow>[] => [
  {
    title: text('column.name'),
    name: 'name',
    sort: 'name',
    render: (audit) => <AuditLink uuid={audit.uuid} name={audit.name} />,
  },
  { title: text('column.state'), name: 'state', sort: 'state', render: (audit) => <StateLabel state={audit.state} /> },
  {
    title: text('column.type'),
    name: 'type',
    sort: 'type',
    isWhole: true,
    render: (audit) => auditTypeText(audit.audit_type),
  },
  { title: text('column.goal'), name: 'goal', sort: 'goal', render: (audit) => <GoalName name={audit.goal_name} /> },
  {
    title: text('column.strategy'),
    name: 'strategy',
    sort: 'strategy',
    render: (audit) => <StrategyName name={audit.strategy_name} />,
  },
  {
    title: text('column.nextRun'),
    name: 'next-run',
    sort: 'next',
    render: (audit) => <Time at={audit.next_run_time} />,
  },
  {
    title: text('column.created'),
    name: 'created',
    sort: 'created',
    render: (audit) => <Time at={audit.created_at} />,
  },
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
  const shown = useMemo(columns, []);
  const [state, setState] = useQueryValue('state');
  const [type, setType] = useQueryValue('type');
  return (
    <>
      <PageHeader
        title={text('page.audits')}
        actions={
          <span className="vigil-row-line">
            <SavedViewsMenu page="audits" />
            <CreateLink />
          </span>
        }
      >
        {text('audits.hint')}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PagedTable<AuditRow, AuditRowList>
          label={text('page.audits')}
          path="lists/audits"
          query={{ state, type }}
          pageOf={pageOf}
          columns={shown}
          rowKey={rowKey}
          sortBy={{ index: 6, direction: 'desc' }}
          kinds={['audit']}
          {...(mayUpdate || mayDelete ? { selection: bulk.selection } : {})}
          filters={
            <>
              <ChoiceFilter label={text('column.state')} value={state} choices={states} onChange={setState} />
              <ChoiceFilter
                label={text('column.type')}
                value={type}
                choices={auditTypes}
                nameOf={auditTypeText}
                onChange={setType}
              />
              {mayUpdate && (
                <BulkButton
                  bulk={bulk}
                  label={text('do.cancel')}
                  what={(count) => text('audits.noun', { count })}
                  fits={(audit) => open.has(audit.state)}
                  run={(ident) =>
                    client.api.PATCH('/v1/audits/{ident}', {
                      params: { path: { ident } },
                      body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
                    })
                  }
                >
                  {text('audits.cancelHint')}
                </BulkButton>
              )}
              {mayDelete && (
                <BulkButton
                  bulk={bulk}
                  label={text('do.delete')}
                  what={(count) => text('audits.noun', { count })}
                  fits={(audit) => !open.has(audit.state)}
                  run={(ident) => client.api.DELETE('/v1/audits/{ident}', { params: { path: { ident } } })}
                >
                  {text('audits.deleteHint')}
                </BulkButton>
              )}
            </>
          }
          empty={
            <Nothing title={text('audits.none')} action={<CreateLink />}>
              {text('audits.noneHint')}
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
      {text('audits.create')}
    </Button>
  );
}

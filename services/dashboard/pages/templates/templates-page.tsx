import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { AuditTemplate } from '#libs/client';
import { timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { scopeText } from '../../components/scope.ts';
import { Loading, Nothing } from '../../components/states.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { text } from '../../texts/texts.ts';
import { CreateTemplate } from './create-template.tsx';

/** Page of the audit templates. */
export function TemplatesPage() {
  const { client } = useDashboard();
  const templates = useLiveEntities('audit_template');
  const isComplete = useIsComplete();
  const mayCreate = useMay('audit_template:create');
  const mayDelete = useMay('audit_template:delete');
  const mayAudit = useMay('audit:create');
  const columns = useMemo<Column<AuditTemplate>[]>(
    () => [
      {
        title: text('column.name'),
        name: 'name',
        value: (template) => template.name,
      },
      {
        title: text('column.goal'),
        name: 'goal',
        value: (template) => template.goal_name,
        render: (template) => <GoalName name={template.goal_name} />,
      },
      {
        title: text('column.strategy'),
        name: 'strategy',
        value: (template) => template.strategy_name,
        render: (template) => <StrategyName name={template.strategy_name} />,
      },
      {
        title: text('column.scope'),
        name: 'scope',
        value: (template) => scopeText(template.scope),
      },
      timeColumn(text('column.created'), 'created', (template) => template.created_at),
      {
        title: text('column.actions'),
        name: 'actions',
        render: (template) => (
          <span className="vigil-row-line">
            {mayAudit && (
              <ConfirmButton
                label={text('templates.audit')}
                title={text('templates.auditTitle', { name: template.name })}
                run={() =>
                  client.api.POST('/v1/audits', {
                    body: {
                      audit_type: 'ONESHOT',
                      audit_template_uuid: template.uuid,
                      auto_trigger: false,
                      force: false,
                    },
                  })
                }
                done={text('templates.audited')}
                variant="link"
              >
                {text('templates.auditHint')}
              </ConfirmButton>
            )}
            {mayDelete && (
              <ConfirmButton
                label={text('do.delete')}
                title={text('templates.deleteTitle', { name: template.name })}
                run={() =>
                  client.api.DELETE('/v1/audit_templates/{ident}', { params: { path: { ident: template.uuid } } })
                }
                done={text('templates.deleted')}
                variant="link"
                isDestructive
              >
                {text('templates.deleteHint')}
              </ConfirmButton>
            )}
          </span>
        ),
      },
    ],
    [client, mayAudit, mayDelete],
  );
  return (
    <>
      <PageHeader title={text('page.templates')} actions={mayCreate && <CreateTemplate />}>
        {text('templates.hint')}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {isComplete ? (
          <DataTable
            label={text('page.templates')}
            rows={templates}
            columns={columns}
            rowKey={(template) => template.uuid}
            empty={<Nothing title={text('templates.none')}>{text('templates.noneHint')}</Nothing>}
          />
        ) : (
          <Loading what={text('page.templates')} as="table" />
        )}
      </PageSection>
    </>
  );
}

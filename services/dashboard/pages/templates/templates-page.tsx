import { PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { AuditTemplate } from '#libs/client';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { scopeText } from '../../components/scope.ts';
import { Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities } from '../../live/use-live.ts';
import { CreateTemplate } from './create-template.tsx';

/** What audits can be made from. */
export function TemplatesPage() {
  const { client } = useDashboard();
  const templates = useLiveEntities('audit_template');
  const isComplete = useIsComplete();
  const mayCreate = useMay('audit_template:create');
  const mayDelete = useMay('audit_template:delete');
  const mayAudit = useMay('audit:create');
  const columns = useMemo<Column<AuditTemplate>[]>(
    () => [
      { title: 'Name', value: (template) => template.name, render: (template) => template.name },
      {
        title: 'Goal',
        value: (template) => template.goal_name,
        render: (template) => <GoalName name={template.goal_name} />,
      },
      {
        title: 'Strategy',
        value: (template) => template.strategy_name,
        render: (template) => <StrategyName name={template.strategy_name} />,
      },
      {
        title: 'Scope',
        value: (template) => scopeText(template.scope),
        render: (template) => scopeText(template.scope),
      },
      {
        title: 'Created',
        value: (template) => millisOf(template.created_at),
        render: (template) => <Time at={template.created_at} />,
      },
      {
        title: 'Actions',
        render: (template) => (
          <span className="vigil-row-line">
            {mayAudit && (
              <ConfirmButton
                label="Audit"
                title={`Audit from ${template.name}?`}
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
                done="The audit has been created"
                variant="link"
              >
                It runs once, now.
              </ConfirmButton>
            )}
            {mayDelete && (
              <ConfirmButton
                label="Delete"
                title={`Delete ${template.name}?`}
                run={() =>
                  client.api.DELETE('/v1/audit_templates/{ident}', { params: { path: { ident: template.uuid } } })
                }
                done="The template is deleted"
                variant="link"
                isDestructive
              >
                Audits that were made from it stay.
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
      <PageHeader title="Audit templates" actions={mayCreate && <CreateTemplate />}>
        Goal, strategy and scope under a name, to make audits from.
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {isComplete ? (
          <DataTable
            label="Audit templates"
            rows={templates}
            columns={columns}
            rowKey={(template) => template.uuid}
            empty={
              <Nothing title="No audit templates yet">
                A template keeps goal, strategy and scope, so that an audit can be made from it with one click.
              </Nothing>
            }
          />
        ) : (
          <Loading what="audit templates" />
        )}
      </PageSection>
    </>
  );
}

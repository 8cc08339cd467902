import { Flex, Grid, GridItem, PageSection, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { type Audit, dataOf } from '#libs/client';
import { AuditReportView } from '../../components/audit-report.tsx';
import { ConfirmButton, Dangerous } from '../../components/confirm-button.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Prose } from '../../components/prose.tsx';
import { rerunAudit } from '../../components/rerun-audit.ts';
import { Schedule } from '../../components/schedule.tsx';
import { scopeText } from '../../components/scope.ts';
import { SearchCard } from '../../components/search-card.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { ValueList } from '../../components/value-list.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useKnownAudit } from '../../live/use-known.ts';
import { useLiveEntities } from '../../live/use-live.ts';
import { auditTypeText } from '../../texts/api-names.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { AuditCurve, AuditPlans } from './audit-plans.tsx';

/** One audit: its request, its report, and its plans. */
export function AuditPage() {
  const { uuid = '' } = useParams();
  const { entity: audit, error } = useKnownAudit(uuid);
  if (audit) return <KnownAudit audit={audit} />;
  if (error) return <Failure title={text('audit.unreadable')} error={error} />;
  if (audit === undefined) return <Loading what={text('audit.noun')} as="table" />;
  return <Nothing title={text('audit.unknown')}>{text('common.maybeDeleted')}</Nothing>;
}

function KnownAudit({ audit }: { audit: Audit }) {
  return (
    <>
      <PageHeader
        title={audit.name}
        label={<StateLabel state={audit.state} />}
        above={[{ title: text('page.audits'), to: '/audits' }]}
        actions={<AuditControls audit={audit} />}
      >
        {richText('audit.goalBy', {
          goal: <GoalName name={audit.goal_name} />,
          strategy: <StrategyName name={audit.strategy_name} />,
        })}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {audit.status_message && (
          <Alert
            isInline
            variant={audit.state === 'FAILED' ? 'danger' : 'info'}
            title={<Prose text={audit.status_message} />}
          />
        )}
        <Grid hasGutter>
          <GridItem md={6}>
            <AuditPlans audit={audit} />
          </GridItem>
          <GridItem md={6}>
            <AuditFacts audit={audit} />
          </GridItem>
          <GridItem>
            <SearchCard audit={audit} />
          </GridItem>
          <GridItem>
            <AuditCurve audit={audit} />
          </GridItem>
          <GridItem>
            <Title headingLevel="h2">{text('audit.report')}</Title>
          </GridItem>
          <GridItem>
            <AuditRun audit={audit} />
          </GridItem>
        </Grid>
      </PageSection>
    </>
  );
}

function AuditControls({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const mayUpdate = useMay('audit:update');
  const mayDelete = useMay('audit:delete');
  const mayCreate = useMay('audit:create');
  const navigate = useNavigate();
  const params = { params: { path: { ident: audit.uuid } } };
  const isOpen = audit.state === 'PENDING' || audit.state === 'ONGOING';
  const cancel = () =>
    client.api.PATCH('/v1/audits/{ident}', {
      ...params,
      body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
    });
  return (
    <Flex gap={{ default: 'gapSm' }}>
      {mayCreate && (
        <ConfirmButton
          label={text('audit.again')}
          title={text('audit.confirmAgain')}
          run={async () => navigate(`/audits/${await rerunAudit(client, audit.uuid)}`)}
          done={text('templates.audited')}
        >
          {text('audit.againHint')}
        </ConfirmButton>
      )}
      <Dangerous>
        <ConfirmButton
          label={text('do.cancel')}
          state={audit.state}
          isOffered={isOpen && mayUpdate}
          title={text('audit.confirmCancel')}
          run={cancel}
          done={text('audit.cancelled')}
          variant="danger"
        >
          {text('audit.cancelHint')}
        </ConfirmButton>
        <ConfirmButton
          label={text('do.delete')}
          state={audit.state}
          isOffered={!isOpen && mayDelete}
          title={text('audit.confirmDelete')}
          run={() => client.api.DELETE('/v1/audits/{ident}', params)}
          done={text('audit.deleted')}
          variant="danger"
        >
          {text('audit.deleteHint')}
        </ConfirmButton>
      </Dangerous>
    </Flex>
  );
}

/** The automation level of an audit. */
function Automation({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const { data } = useQuery({
    queryKey: ['audit-automation', audit.uuid, audit.updated_at],
    queryFn: () => dataOf(client.api.GET('/v1/audits/{ident}/automation', { params: { path: { ident: audit.uuid } } })),
  });
  return <>{data ? text(`automation.${data.level as 0 | 1 | 2 | 3}`) : '–'}</>;
}

/** When the next runs of a continuous audit are. */
function repetition(audit: Audit, timeZone: string) {
  return [
    [text('field.schedule'), <Schedule key="schedule" interval={audit.interval} timeZone={timeZone} />],
    [text('column.nextRun'), <Time key="next" isFull at={audit.next_run_time} />],
  ] as const;
}

function AuditFacts({ audit }: { audit: Audit }) {
  const { session } = useDashboard();
  const spec = useLiveEntities('strategy').find(({ uuid }) => uuid === audit.strategy_uuid)?.parameters_spec;
  const facts = [
    [text('column.type'), auditTypeText(audit.audit_type)],
    ...(audit.audit_type === 'ONESHOT' ? [] : repetition(audit, session.cron_time_zone)),
    [text('field.automation'), <Automation key="automation" audit={audit} />],
    [text('column.scope'), scopeText(audit.scope)],
    [text('column.created'), <Time key="made" isFull at={audit.created_at} />],
    [text('audit.runBy'), audit.hostname ?? '–'],
    [
      text('field.parameters'),
      <ValueList key="parameters" spec={spec} values={audit.parameters as Record<string, unknown>} />,
    ],
  ] as const;
  return (
    <TitledCard isFullHeight title={text('audit.request')}>
      <Facts facts={facts} />
    </TitledCard>
  );
}

function AuditRun({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const query = useQuery({
    queryKey: ['audit-report', audit.uuid, audit.state, audit.updated_at],
    queryFn: () => dataOf(client.api.GET('/v1/audits/{ident}/report', { params: { path: { ident: audit.uuid } } })),
    placeholderData: (known) => known,
  });
  if (query.isPending) return <Loading what={text('audit.reportNoun')} as="table" />;
  if (query.isError)
    return <Failure title={text('audit.reportUnreadable')} error={query.error} onRetry={() => void query.refetch()} />;
  const { report } = query.data;
  return report ? <AuditReportView report={report} /> : <p>{text('audit.notRun')}</p>;
}

import { Alert, Card, CardBody, CardTitle, Flex, Grid, GridItem, PageSection, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { type Audit, dataOf } from '#libs/client';
import { auditAgain } from '../../components/audit-again.ts';
import { AuditReportView } from '../../components/audit-report.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Prose } from '../../components/prose.tsx';
import { scheduleText } from '../../components/schedule-text.ts';
import { scopeText } from '../../components/scope.ts';
import { SearchCard } from '../../components/search-card.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { ValueList } from '../../components/value-list.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useKnownAudit } from '../../live/use-known.ts';
import { AuditCurve, AuditPlans } from './audit-plans.tsx';

/** One audit: what it was asked, what it has looked at, and its plans. */
export function AuditPage() {
  const { uuid = '' } = useParams();
  const { entity: audit, error } = useKnownAudit(uuid);
  if (audit) return <KnownAudit audit={audit} />;
  if (error) return <Failure title="The audit cannot be read" error={error} />;
  if (audit === undefined) return <Loading what="audit" />;
  return <Nothing title="There is no such audit">It may have been deleted.</Nothing>;
}

function KnownAudit({ audit }: { audit: Audit }) {
  return (
    <>
      <PageHeader
        title={audit.name}
        label={<StateLabel state={audit.state} />}
        above={[{ title: 'Audits', to: '/audits' }]}
        actions={<AuditControls audit={audit} />}
      >
        <GoalName name={audit.goal_name} /> by <StrategyName name={audit.strategy_name} />
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
            <Title headingLevel="h2">Report of the last run</Title>
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
          label="Run again"
          title="Run this audit again?"
          run={async () => navigate(`/audits/${await auditAgain(client, audit.uuid)}`)}
          done="The audit has been created"
        >
          An audit with the same goal, strategy, parameters and scope runs once, now.
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Cancel"
        state={audit.state}
        isOffered={isOpen && mayUpdate}
        title="Cancel this audit?"
        run={cancel}
        done="The audit is cancelled"
        variant="danger"
      >
        It makes no plan any more. Plans that it has made stay.
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        state={audit.state}
        isOffered={!isOpen && mayDelete}
        title="Delete this audit?"
        run={() => client.api.DELETE('/v1/audits/{ident}', params)}
        done="The audit is deleted"
        variant="danger"
      >
        It is no longer shown.
      </ConfirmButton>
    </Flex>
  );
}

function AuditFacts({ audit }: { audit: Audit }) {
  const { session } = useDashboard();
  const facts = [
    ['Type', audit.audit_type],
    ['Schedule', scheduleText(audit.interval, session.cron_time_zone)],
    ['Next run', <Time key="next" isFull at={audit.next_run_time} />],
    ['Starts plans by itself', audit.auto_trigger ? 'yes' : 'no'],
    ['Scope', scopeText(audit.scope)],
    ['Created', <Time key="made" isFull at={audit.created_at} />],
    ['Run by', audit.hostname ?? '–'],
    ['Parameters', <ValueList key="parameters" values={audit.parameters as Record<string, unknown>} />],
  ] as const;
  return (
    <Card isFullHeight>
      <CardTitle component="h2">Request</CardTitle>
      <CardBody>
        <Facts facts={facts} />
      </CardBody>
    </Card>
  );
}

function AuditRun({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const query = useQuery({
    queryKey: ['audit-report', audit.uuid, audit.state, audit.updated_at],
    queryFn: () => dataOf(client.api.GET('/v1/audits/{ident}/report', { params: { path: { ident: audit.uuid } } })),
    placeholderData: (known) => known,
  });
  if (query.isPending) return <Loading what="report" />;
  if (query.isError)
    return <Failure title="The report cannot be read" error={query.error} onRetry={() => void query.refetch()} />;
  const { report } = query.data;
  return report ? <AuditReportView report={report} /> : <p>It has not run yet.</p>;
}

import { Alert, Card, CardBody, CardTitle, Flex, Grid, GridItem, PageSection, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Audit, dataOf } from '#libs/client';
import { AuditReportView } from '../../components/audit-report.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CurveCard } from '../../components/curve-card.tsx';
import { GoalName, StrategyName } from '../../components/display-names.tsx';
import { Facts } from '../../components/facts.tsx';
import { PlanLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PlanProgress } from '../../components/plan-progress.tsx';
import { PlanState } from '../../components/plan-state.tsx';
import { Prose } from '../../components/prose.tsx';
import { scheduleText } from '../../components/schedule-text.ts';
import { scopeText } from '../../components/scope.ts';
import { SearchCard } from '../../components/search-card.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { ValueList } from '../../components/value-list.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { useIsComplete, useLiveEntities, useLiveEntity } from '../../live/use-live.ts';

/** One audit: what it was asked, what it has looked at, and its plans. */
export function AuditPage() {
  const { uuid = '' } = useParams();
  const audit = useLiveEntity('audit', uuid);
  const isComplete = useIsComplete();
  if (audit) return <KnownAudit audit={audit} />;
  if (!isComplete) return <Loading what="audit" />;
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
  const params = { params: { path: { ident: audit.uuid } } };
  const isOpen = audit.state === 'PENDING' || audit.state === 'ONGOING';
  const cancel = () =>
    client.api.PATCH('/v1/audits/{ident}', {
      ...params,
      body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }],
    });
  return (
    <Flex gap={{ default: 'gapSm' }}>
      {isOpen && mayUpdate && (
        <ConfirmButton
          label="Cancel"
          title="Cancel this audit?"
          run={cancel}
          done="The audit is cancelled"
          variant="danger"
        >
          It makes no plan any more. Plans that it has made stay.
        </ConfirmButton>
      )}
      {!isOpen && mayDelete && (
        <ConfirmButton
          label="Delete"
          title="Delete this audit?"
          run={() => client.api.DELETE('/v1/audits/{ident}', params)}
          done="The audit is deleted"
          variant="danger"
        >
          It is no longer shown.
        </ConfirmButton>
      )}
    </Flex>
  );
}

function AuditPlans({ audit }: { audit: Audit }) {
  const plans = useLiveEntities('action_plan')
    .filter((plan) => plan.audit_uuid === audit.uuid)
    .toSorted((left, right) => (millisOf(right.created_at) ?? 0) - (millisOf(left.created_at) ?? 0));
  return (
    <Card isFullHeight>
      <CardTitle component="h2">Action plans</CardTitle>
      <CardBody>
        {plans.length === 0 ? (
          <p>{audit.state === 'PENDING' || audit.state === 'ONGOING' ? 'Not yet.' : 'None.'}</p>
        ) : (
          <ul className="vigil-rows">
            {plans.map((plan) => (
              <li key={plan.uuid}>
                <PlanLink uuid={plan.uuid} /> <PlanState plan={plan} />
                <PlanProgress plan={plan} />
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
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

/** Plans of several sizes, once a search has found some. */
function AuditCurve({ audit }: { audit: Audit }) {
  const { client } = useDashboard();
  const mayPlan = useMay('audit:create');
  const params = { params: { path: { ident: audit.uuid } } };
  const plans = useLiveEntities('action_plan').filter((plan) => plan.audit_uuid === audit.uuid);
  const states = plans.map(({ uuid, state }) => `${uuid} ${state}`).toSorted();
  const query = useQuery({
    queryKey: ['audit-variants', audit.uuid, audit.state, audit.updated_at, states],
    queryFn: () => dataOf(client.api.GET('/v1/audits/{ident}/variants', params)),
    placeholderData: (known) => known,
  });
  if (!query.data) return null;
  const plan = (budget: number) =>
    dataOf(client.api.POST('/v1/audits/{ident}/plan', { ...params, body: { moves: budget } }));
  return <CurveCard variants={query.data.variants} plan={mayPlan ? plan : undefined} />;
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
    return <Failure title="The report can not be read" error={query.error} onRetry={() => void query.refetch()} />;
  const { report } = query.data;
  return report ? <AuditReportView report={report} /> : <p>It has not run yet.</p>;
}

import { Card, CardBody, CardTitle, Grid, GridItem, PageSection } from '@patternfly/react-core';
import { Link, useParams } from 'react-router';
import type { ClusterInstance } from '../../api/find-types.ts';
import { Facts } from '../../components/facts.tsx';
import { HostLink, shortId } from '../../components/links.tsx';
import { MoveHistory, useMaySeeMoves } from '../../components/move-history.tsx';
import { InstanceOutsideLinks } from '../../components/outside-links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SeriesChart } from '../../components/series-chart.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time, zoneName } from '../../components/time.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { KeepHere } from './keep-here.tsx';
import { WhyHere } from './why-here.tsx';

type Instance = ClusterInstance['instance'];

/** One instance: why it is where it is, what has moved it, and what keeps it there. */
export function InstancePage() {
  const { uuid = '' } = useParams();
  const answer = useStreamQuery<ClusterInstance>(`cluster/instances/${encodeURIComponent(uuid)}`, ['data_model']);
  const instance = answer.data?.instance;
  const above = [
    { title: 'Cluster', to: '/cluster' },
    ...(instance?.hostname
      ? [{ title: instance.hostname, to: `/cluster/hosts/${encodeURIComponent(instance.hostname)}` }]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={instance?.name ?? `Instance ${shortId(uuid)}`}
        above={above}
        label={instance && <StateLabel state={instance.state} />}
        actions={instance && <KeepHere instance={instance} />}
      >
        {instance && (
          <>
            {instance.hostname ? (
              <>
                On <HostLink hostname={instance.hostname} />
              </>
            ) : (
              'On no host'
            )}
            . <InstanceOutsideLinks uuid={uuid} name={instance.name} />
          </>
        )}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {answer.isPending && <Loading what="instance" />}
        {answer.isError && !instance && (
          <Failure title="The instance cannot be read" error={answer.error} onRetry={() => void answer.refetch()} />
        )}
        {instance && <Parts instance={instance} />}
      </PageSection>
    </>
  );
}

function Parts({ instance }: { instance: Instance }) {
  const maySeeMoves = useMaySeeMoves();
  return (
    <Grid hasGutter>
      <GridItem xl={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Why it is here</CardTitle>
          <CardBody>
            <WhyHere instance={instance} />
            <Facts facts={factsOf(instance)} />
          </CardBody>
        </Card>
      </GridItem>
      <GridItem xl={6}>
        <Card isFullHeight>
          <CardTitle component="h2">Load, last hour ({zoneName()})</CardTitle>
          <CardBody>
            <SeriesChart title={`Load of ${instance.name}`} path={`history/instances/${instance.uuid}`} />
          </CardBody>
        </Card>
      </GridItem>
      {maySeeMoves && (
        <GridItem>
          <Card>
            <CardTitle component="h2">What moved it</CardTitle>
            <CardBody>
              <MoveHistory of={{ instance: instance.uuid }} />
            </CardBody>
          </Card>
        </GridItem>
      )}
    </Grid>
  );
}

function factsOf(instance: Instance) {
  const {
    flavor,
    vcpus,
    memory,
    disk,
    project_id: project,
    created,
    pinned_zone: zone,
    rules,
    locked,
    busy,
  } = instance;
  const group = instance.server_group === null ? '–' : (instance.group_policy ?? 'yes');
  return [
    ['Flavor', flavor === null ? '–' : <span data-literal>{flavor}</span>],
    ['Size', `${vcpus} vCPUs, ${(memory / 1024).toFixed(1)} GiB of memory, ${disk} GiB of disk on the host`],
    ['Project', <code key="project">{project}</code>],
    ['Created', <Time key="created" at={created} isFull />],
    ['Server group', group],
    ['Zone that it must stay in', zone ?? '–'],
    ['Held by Nova', [locked && 'locked', busy && 'busy'].filter(Boolean).join(', ') || '–'],
    [
      'Placement rules',
      rules.length === 0
        ? '–'
        : rules.map((rule) => (
            <Link key={rule} to={`/rules?search=${encodeURIComponent(rule)}`} className="vigil-listed">
              {rule}
            </Link>
          )),
    ],
  ] as const;
}

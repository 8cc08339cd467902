import { Card, CardBody, CardTitle, Grid, GridItem, PageSection } from '@patternfly/react-core';
import { useParams } from 'react-router';
import type { HostInstance } from '../../api/cluster-types.ts';
import type { ClusterHostDetail } from '../../api/find-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { InstanceLink } from '../../components/links.tsx';
import { MoveHistory, useMaySeeMoves } from '../../components/move-history.tsx';
import { HostOutsideLinks } from '../../components/outside-links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SeriesChart } from '../../components/series-chart.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { zoneName } from '../../components/time.tsx';
import { UseBar } from '../../components/use-bar.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { HostActs } from './host-acts.tsx';

/** One host: what can be done with it, its load over time, its instances, and what was moved from and to it. */
export function HostPage() {
  const { hostname = '' } = useParams();
  const answer = useStreamQuery<ClusterHostDetail>(`cluster/hosts/${encodeURIComponent(hostname)}`, ['data_model']);
  const host = answer.data?.host;
  return (
    <>
      <PageHeader
        title={hostname}
        above={[{ title: 'Cluster', to: '/cluster' }]}
        actions={host && <HostActs host={host} />}
        label={host && <StateLabel state={host.status === 'disabled' ? 'disabled' : host.state} />}
      >
        {host && (
          <>
            {`Zone ${host.zone}; ${host.vcpus.used} of ${host.vcpus.capacity} vCPUs and ${(host.memory.used / 1024).toFixed(0)} of ${(host.memory.capacity / 1024).toFixed(0)} GiB are allocated.${host.disabled_reason ? ` Disabled: ${host.disabled_reason}` : ''} `}
            <HostOutsideLinks hostname={hostname} />
          </>
        )}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {answer.isPending && <Loading what="host" />}
        {answer.isError && !answer.data && (
          <Failure title="The host cannot be read" error={answer.error} onRetry={() => void answer.refetch()} />
        )}
        {answer.data && <Host hostname={hostname} instances={answer.data.instances} />}
      </PageSection>
    </>
  );
}

const columns: Column<HostInstance>[] = [
  {
    title: 'Instance',
    value: (instance) => instance.name,
    render: (instance) => <InstanceLink uuid={instance.uuid} name={instance.name} />,
  },
  {
    title: 'State',
    value: (instance) => instance.state,
    render: (instance) => <StateLabel state={instance.state} />,
  },
  {
    title: 'CPU load',
    value: (instance) => instance.cpu_load ?? -1,
    render: (instance) => <UseBar value={instance.cpu_load} max={100} text={`${instance.cpu_load?.toFixed(0)} %`} />,
  },
  { title: 'vCPUs', value: (instance) => instance.vcpus, render: (instance) => instance.vcpus },
  {
    title: 'Memory',
    value: (instance) => instance.memory,
    render: (instance) => `${(instance.memory / 1024).toFixed(1)} GiB`,
  },
  { title: 'Notes', value: notesOf, render: notesOf },
];

function Host({ hostname, instances }: { hostname: string; instances: HostInstance[] }) {
  const maySeeMoves = useMaySeeMoves();
  return (
    <Grid hasGutter>
      <GridItem>
        <Card isFullHeight>
          <CardTitle component="h2">Load of the host, last hour ({zoneName()})</CardTitle>
          <CardBody>
            <SeriesChart title={`Load of ${hostname}`} path={`history/hosts/${encodeURIComponent(hostname)}`} />
          </CardBody>
        </Card>
      </GridItem>
      <GridItem>
        <DataTable
          label="Instances"
          rows={instances}
          columns={columns}
          rowKey={(instance) => instance.uuid}
          empty={<Nothing title="No instances on this host" />}
        />
      </GridItem>
      {maySeeMoves && (
        <GridItem>
          <Card>
            <CardTitle component="h2">What was moved from and to it</CardTitle>
            <CardBody>
              <MoveHistory of={{ host: hostname }} />
            </CardBody>
          </Card>
        </GridItem>
      )}
    </Grid>
  );
}

function notesOf(instance: HostInstance): string {
  return [instance.locked && 'locked', instance.busy && 'busy', instance.server_group && 'in a server group']
    .filter(Boolean)
    .join(', ');
}

import { Button, Card, CardBody, CardTitle, Grid, GridItem, PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { ClusterHost, HistorySeries, HostInstance } from '../../api/cluster-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { zoneName } from '../../components/time.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { UseBar } from '../../components/use-bar.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { chartsOf } from './charts-of.ts';

interface HostAnswer {
  host: ClusterHost & { traits: string[] };
  instances: HostInstance[];
}

/** One host: its load over time, and its instances with theirs. */
export function HostPage() {
  const { hostname = '' } = useParams();
  const answer = useStreamQuery<HostAnswer>(`cluster/hosts/${encodeURIComponent(hostname)}`, ['data_model']);
  const host = answer.data?.host;
  return (
    <>
      <PageHeader
        title={hostname}
        above={[{ title: 'Cluster', to: '/cluster' }]}
        label={host && <StateLabel state={host.status === 'disabled' ? 'disabled' : host.state} />}
      >
        {host &&
          `Zone ${host.zone}; ${host.vcpus.used} of ${host.vcpus.capacity} vCPUs and ${(host.memory.used / 1024).toFixed(0)} of ${(host.memory.capacity / 1024).toFixed(0)} GiB are allocated.${host.disabled_reason ? ` Disabled: ${host.disabled_reason}` : ''}`}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {answer.isPending && <Loading what="host" />}
        {answer.isError && !answer.data && (
          <Failure title="The host can not be read" error={answer.error} onRetry={() => void answer.refetch()} />
        )}
        {answer.data && <Host hostname={hostname} instances={answer.data.instances} />}
      </PageSection>
    </>
  );
}

function Host({ hostname, instances }: { hostname: string; instances: HostInstance[] }) {
  const [query, setQuery] = useSearchParams();
  const chosen = instances.find((instance) => instance.uuid === query.get('instance'));
  const choose = (uuid: string) =>
    setQuery((known) => {
      known.set('instance', uuid);
      return known;
    });
  const columns = useMemo<Column<HostInstance>[]>(
    () => [
      {
        title: 'Instance',
        value: (instance) => instance.name,
        render: (instance) => (
          <Button variant="link" isInline onClick={() => choose(instance.uuid)}>
            {instance.name}
          </Button>
        ),
      },
      {
        title: 'State',
        value: (instance) => instance.state,
        render: (instance) => <StateLabel state={instance.state} />,
      },
      {
        title: 'CPU load',
        value: (instance) => instance.cpu_load ?? -1,
        render: (instance) => (
          <UseBar value={instance.cpu_load} max={100} text={`${instance.cpu_load?.toFixed(0)} %`} />
        ),
      },
      { title: 'vCPUs', value: (instance) => instance.vcpus, render: (instance) => instance.vcpus },
      {
        title: 'Memory',
        value: (instance) => instance.memory,
        render: (instance) => `${(instance.memory / 1024).toFixed(1)} GiB`,
      },
      {
        title: 'Notes',
        value: (instance) => notesOf(instance),
        render: (instance) => notesOf(instance),
      },
    ],
    [setQuery],
  );
  return (
    <Grid hasGutter>
      <GridItem xl={chosen ? 6 : 12}>
        <Card isFullHeight>
          <CardTitle component="h2">Load of the host, last hour ({zoneName()})</CardTitle>
          <CardBody>
            <SeriesChart title={`Load of ${hostname}`} path={`history/hosts/${encodeURIComponent(hostname)}`} />
          </CardBody>
        </Card>
      </GridItem>
      {chosen && (
        <GridItem xl={6}>
          <Card isFullHeight>
            <CardTitle component="h2">
              Load of {chosen.name}, last hour ({zoneName()})
            </CardTitle>
            <CardBody>
              <SeriesChart title={`Load of ${chosen.name}`} path={`history/instances/${chosen.uuid}`} />
            </CardBody>
          </Card>
        </GridItem>
      )}
      <GridItem>
        <DataTable
          label="Instances"
          rows={instances}
          columns={columns}
          rowKey={(instance) => instance.uuid}
          empty={<Nothing title="No instances on this host" />}
        />
      </GridItem>
    </Grid>
  );
}

function notesOf(instance: HostInstance): string {
  return [instance.locked && 'locked', instance.busy && 'busy', instance.server_group && 'in a server group']
    .filter(Boolean)
    .join(', ');
}

function SeriesChart({ title, path }: { title: string; path: string }) {
  const history = useStreamQuery<HistorySeries>(path, ['data_model']);
  const charts = useMemo(() => chartsOf(history.data?.series ?? []), [history.data]);
  if (history.isPending) return <Loading what="history" />;
  if (!history.data) return <Failure title="The history can not be read" error={history.error} />;
  if (charts.length === 0) return <Nothing title="Nothing was measured" />;
  return charts.map(({ unit, at, lines }) => (
    <TimeChart key={unit} title={`${title} in ${unit}`} unit={unit} at={at} lines={lines} height={180} />
  ));
}

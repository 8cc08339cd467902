import { Grid, GridItem, PageSection } from '@patternfly/react-core';
import { useParams } from 'react-router';
import type { HostInstance } from '../../api/cluster-types.ts';
import type { ClusterHostDetail } from '../../api/find-types.ts';
import { stateColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { HostExternalLinks } from '../../components/external-links.tsx';
import { InstanceLink } from '../../components/links.tsx';
import { MoveHistory, useMaySeeMoves } from '../../components/move-history.tsx';
import { gibText, roundedText, wholePercent } from '../../components/number-text.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { RangeChoice, useChartRange } from '../../components/range-choice.tsx';
import { SeriesChart } from '../../components/series-chart.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import type { TableSort } from '../../components/table-state.ts';
import { zoneName } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { UseBar } from '../../components/use-bar.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { ExpectedLoad } from './expected-load.tsx';
import { HostActions } from './host-actions.tsx';
import { HostState } from './host-state.tsx';

/** One host: its actions, its load over time, its instances, and its migration history. */
export function HostPage() {
  const { hostname = '' } = useParams();
  const response = useStreamQuery<ClusterHostDetail>(`cluster/hosts/${encodeURIComponent(hostname)}`, ['data_model']);
  const host = response.data?.host;
  return (
    <>
      <PageHeader
        title={hostname}
        above={[{ title: text('page.cluster'), to: '/cluster' }]}
        actions={host && <HostActions host={host} />}
        label={host && <StateLabel state={host.status === 'disabled' ? 'disabled' : host.state} />}
      >
        {host && (
          <>
            {text('host.summary', {
              zone: host.zone,
              used: host.vcpus.used,
              vcpus: host.vcpus.capacity,
              usedMemory: roundedText(host.memory.used / 1024),
              memory: roundedText(host.memory.capacity / 1024),
              disabled: host.disabled_reason ? ` ${text('host.disabled', { reason: host.disabled_reason })}` : '',
            })}
            <HostExternalLinks hostname={hostname} />
          </>
        )}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {response.isPending && <Loading what={text('column.host')} as="drawing" />}
        {response.isError && !response.data && (
          <Failure title={text('host.unreadable')} error={response.error} onRetry={() => void response.refetch()} />
        )}
        {response.data && <Host hostname={hostname} instances={response.data.instances} />}
      </PageSection>
    </>
  );
}

const instanceColumns = (): Column<HostInstance>[] => [
  {
    title: text('column.instance'),
    name: 'instance',
    value: (instance) => instance.name,
    render: (instance) => <InstanceLink uuid={instance.uuid} name={instance.name} />,
  },
  stateColumn(text('column.state'), 'state', (instance) => instance.state),
  {
    title: text('charts.cpuLoadOf'),
    name: 'cpu-load',
    value: (instance) => instance.cpu_load ?? -1,
    render: (instance) => (
      <UseBar
        value={instance.cpu_load}
        max={100}
        text={instance.cpu_load === null ? '–' : wholePercent(instance.cpu_load)}
      />
    ),
  },
  {
    title: text('column.vcpus'),
    name: 'vcpus',
    value: (instance) => instance.vcpus,
  },
  {
    title: text('column.memory'),
    name: 'memory',
    value: (instance) => instance.memory,
    render: (instance) => gibText(instance.memory),
  },
  { title: text('host.notes'), name: 'notes', value: notesOf },
];

function Host({ hostname, instances }: { hostname: string; instances: HostInstance[] }) {
  const maySeeMoves = useMaySeeMoves();
  const { range, setRange, query } = useChartRange();
  return (
    <Grid hasGutter>
      <GridItem>
        <TitledCard isFullHeight title={text('host.load', { zone: zoneName() })}>
          <RangeChoice range={range} setRange={setRange} />
          <SeriesChart
            title={text('charts.loadOf', { name: hostname })}
            path={`history/hosts/${encodeURIComponent(hostname)}`}
            query={query}
          />
        </TitledCard>
      </GridItem>
      <HostState hostname={hostname} />
      <GridItem>
        <ExpectedLoad hostname={hostname} />
      </GridItem>
      <GridItem>
        <DataTable
          label={text('column.instances')}
          rows={instances}
          columns={instanceColumns()}
          rowKey={(instance) => instance.uuid}
          sortBy={hottestFirst(instances)}
          empty={<Nothing title={text('host.noInstances')} />}
        />
      </GridItem>
      {maySeeMoves && (
        <GridItem>
          <TitledCard title={text('host.moves')}>
            <MoveHistory of={{ host: hostname }} />
          </TitledCard>
        </GridItem>
      )}
    </Grid>
  );
}

/** The instance with the highest CPU load first. By name if no load is known. */
function hottestFirst(instances: readonly HostInstance[]): TableSort {
  return instances.some(({ cpu_load: load }) => load !== null)
    ? { index: 2, direction: 'desc' }
    : { index: 0, direction: 'asc' };
}

function notesOf(instance: HostInstance): string {
  return [
    instance.locked && text('common.locked'),
    instance.busy && text('common.busy'),
    instance.server_group && text('host.inGroup'),
  ]
    .filter(Boolean)
    .join(', ');
}

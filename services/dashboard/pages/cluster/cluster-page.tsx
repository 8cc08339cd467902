import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Content,
  Flex,
  FormSelect,
  FormSelectOption,
  Grid,
  GridItem,
  PageSection,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import { useMemo } from 'react';
import type { ClusterHost, ClusterSummary } from '../../api/cluster-types.ts';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { countText } from '../../components/efficacy.tsx';
import { HostLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SpreadChart } from '../../components/spread-chart.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time, zoneName } from '../../components/time.tsx';
import { UseBar } from '../../components/use-bar.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { HeatMap, type HeatMeasure } from './heat-map.tsx';

/** Hosts from which on the heat map takes the whole width. */
const largeCluster = 150;

const measures: readonly { value: HeatMeasure; label: string }[] = [
  { value: 'cpu_load', label: 'CPU load' },
  { value: 'memory_load', label: 'Memory load' },
  { value: 'vcpus', label: 'vCPUs allocated' },
  { value: 'memory', label: 'Memory allocated' },
];

const columns: Column<ClusterHost>[] = [
  {
    title: 'Host',
    value: (host) => host.hostname,
    render: (host) => <HostLink hostname={host.hostname} />,
  },
  {
    title: 'State',
    value: (host) => `${host.state} ${host.status}`,
    render: (host) => <StateLabel state={host.status === 'disabled' ? 'disabled' : host.state} />,
  },
  { title: 'Zone', value: (host) => host.zone, render: (host) => host.zone },
  { title: 'Instances', value: (host) => host.instances, render: (host) => host.instances },
  {
    title: 'CPU load',
    value: (host) => host.cpu_load ?? -1,
    render: (host) => <UseBar value={host.cpu_load} max={100} text={`${host.cpu_load?.toFixed(0)} %`} />,
  },
  {
    title: 'Memory load',
    value: (host) => host.memory_load ?? -1,
    render: (host) => <UseBar value={host.memory_load} max={100} text={`${host.memory_load?.toFixed(0)} %`} />,
  },
  {
    title: 'vCPUs',
    value: (host) => host.vcpus.used / Math.max(1, host.vcpus.capacity),
    render: ({ vcpus }) => (
      <UseBar value={vcpus.used} max={vcpus.capacity} text={`${vcpus.used} / ${vcpus.capacity}`} />
    ),
  },
  {
    title: 'Memory',
    value: (host) => host.memory.used / Math.max(1, host.memory.capacity),
    render: ({ memory }) => (
      <UseBar
        value={memory.used}
        max={memory.capacity}
        text={`${(memory.used / 1024).toFixed(0)} / ${(memory.capacity / 1024).toFixed(0)} GiB`}
      />
    ),
  },
];

/** The cloud as Vigil sees it: hosts with load and allocation, as table and as heat map. */
export function ClusterPage() {
  const summary = useStreamQuery<ClusterSummary>('cluster/summary', ['data_model']);
  return (
    <>
      <PageHeader title="Cluster">
        {summary.data ? <Sentence summary={summary.data} /> : 'Hosts, their load and what is on them.'}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {summary.isPending && <Loading what="cluster" />}
        {summary.isError && !summary.data && (
          <Failure title="The cluster can not be read" error={summary.error} onRetry={() => void summary.refetch()} />
        )}
        {summary.data && <Cluster summary={summary.data} />}
      </PageSection>
    </>
  );
}

function Sentence({ summary: { totals, taken_at: takenAt, complete } }: { summary: ClusterSummary }) {
  return (
    <>
      {countText(totals.hosts)} hosts, {countText(totals.hosts_up)} up, {countText(totals.hosts_empty)} without
      instances; {countText(totals.instances)} instances. The model was collected <Time at={takenAt} /> and is{' '}
      {complete ? 'complete' : 'incomplete'}.
    </>
  );
}

function Cluster({ summary }: { summary: ClusterSummary }) {
  const [zone, setZone] = useQueryValue('zone');
  const [aggregate, setAggregate] = useQueryValue('aggregate');
  const [asked, setMeasure] = useQueryValue('measure');
  const [shown, setView] = useQueryValue('view');
  const measure = measures.find((known) => known.value === asked)?.value ?? 'cpu_load';
  const zones = useMemo(() => [...new Set(summary.hosts.map((host) => host.zone))].sort(), [summary.hosts]);
  const aggregateId = summary.aggregates.find((known) => known.name === aggregate)?.id;
  const hosts = useMemo(
    () =>
      summary.hosts.filter(
        (host) =>
          (zone === '' || host.zone === zone) && (aggregate === '' || host.aggregates.includes(aggregateId ?? -1)),
      ),
    [summary.hosts, zone, aggregate, aggregateId],
  );
  const isLarge = hosts.length > largeCluster;
  return (
    <Grid hasGutter>
      {!summary.complete && (
        <GridItem>
          <Alert isInline variant="warning" title="The model is incomplete">
            {summary.gaps.join('; ')}
          </Alert>
        </GridItem>
      )}
      {summary.load.error && (
        <GridItem>
          <Alert isInline variant="warning" title="Loads are missing">
            {summary.load.error}
          </Alert>
        </GridItem>
      )}
      <GridItem>
        <Flex gap={{ default: 'gapSm' }}>
          <ChoiceFilter label="Zone" value={zone} choices={zones} onChange={setZone} />
          <ChoiceFilter
            label="Aggregate"
            value={aggregate}
            choices={summary.aggregates.map((known) => known.name)}
            onChange={setAggregate}
          />
          <FormSelect
            aria-label="Colour of the heat map"
            value={measure}
            onChange={(_event, value) => setMeasure(value)}
            className="vigil-filter"
          >
            {measures.map((known) => (
              <FormSelectOption key={known.value} value={known.value} label={known.label} />
            ))}
          </FormSelect>
          <ToggleGroup aria-label="Parts of the page">
            {(['both', 'table'] as const).map((view) => (
              <ToggleGroupItem
                key={view}
                text={view === 'both' ? 'Map and table' : 'Table'}
                isSelected={(shown === 'table' ? 'table' : 'both') === view}
                onChange={() => setView(view === 'both' ? '' : view)}
              />
            ))}
          </ToggleGroup>
        </Flex>
      </GridItem>
      {shown !== 'table' && (
        <>
          <GridItem xl={isLarge ? 12 : 6}>
            <Card isFullHeight>
              <CardTitle component="h2">
                {measures.find((known) => known.value === measure)?.label} of {countText(hosts.length)} hosts
              </CardTitle>
              <CardBody>
                <HeatMap hosts={hosts} measure={measure} />
              </CardBody>
            </Card>
          </GridItem>
          <GridItem xl={isLarge ? 12 : 6}>
            <Card isFullHeight>
              <CardTitle component="h2">Spread of CPU load over hosts, last hour ({zoneName()})</CardTitle>
              <CardBody>
                <SpreadChart />
                <Content component="small">A smaller deviation means that load is spread more evenly.</Content>
              </CardBody>
            </Card>
          </GridItem>
        </>
      )}
      <GridItem>
        <DataTable
          label="Hosts"
          rows={hosts}
          columns={columns}
          rowKey={(host) => host.uuid}
          isFiltered={zone !== '' || aggregate !== ''}
        />
      </GridItem>
    </Grid>
  );
}

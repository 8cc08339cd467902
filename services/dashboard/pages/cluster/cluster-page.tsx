import {
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
import { useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router';
import type { ClusterHost, ClusterSummary } from '../../api/cluster-types.ts';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { compareNames } from '../../components/compare-names.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { MapChoiceFields, useMapChoices } from '../../components/host-map/map-choices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RangeChoice, useChartRange } from '../../components/range-choice.tsx';
import { SavedViewsMenu } from '../../components/saved-views-menu.tsx';
import { SpreadChart } from '../../components/spread-chart.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import type { TableSort } from '../../components/table-state.ts';
import { Time, zoneName } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { whatIfPath } from '../../components/what-if-path.ts';
import { Alert } from '../../components/worded-parts.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import { useClusterSummary } from '../../live/use-cluster-summary.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { ClusterMap, type HeatMeasure, heatMeasures, measureTitle, shownHosts } from './cluster-map.tsx';
import { hostColumns } from './host-columns.tsx';

/** Number of hosts from which the map takes the whole width. */
const largeCluster = 150;

/** Vigil's model of the cloud: hosts with load and allocation, as map and as table. */
export function ClusterPage() {
  const maySeePast = useMay('data_model:past');
  const summary = useClusterSummary();
  // Many hosts are rendered in parts, between which the page responds.
  const shown = useDeferredValue(summary.data);
  return (
    <>
      <PageHeader
        title={text('page.cluster')}
        actions={
          <Flex gap={{ default: 'gapMd' }} alignItems={{ default: 'alignItemsCenter' }}>
            {maySeePast && <Link to="/cluster/past">{text('past.title')}</Link>}
            <SavedViewsMenu page="cluster" />
          </Flex>
        }
      >
        {summary.data ? <Sentence summary={summary.data} /> : text('cluster.hint')}
      </PageHeader>
      <PageSection hasBodyWrapper={false}>
        {(summary.isPending || (summary.data && !shown)) && <Loading what={text('page.cluster')} as="drawing" />}
        {summary.isError && !summary.data && (
          <Failure title={text('cluster.unreadable')} error={summary.error} onRetry={() => void summary.refetch()} />
        )}
        {shown && <Cluster summary={shown} />}
      </PageSection>
    </>
  );
}

function Sentence({ summary: { totals, taken_at: takenAt, complete } }: { summary: ClusterSummary }) {
  return (
    <>
      {text('cluster.hosts', { count: totals.hosts, up: totals.hosts_up, empty: totals.hosts_empty })}{' '}
      {text('cluster.instances', { count: totals.instances })}{' '}
      {richText(complete ? 'cluster.complete' : 'cluster.incomplete', { time: <Time at={takenAt} /> })}
    </>
  );
}

function Cluster({ summary }: { summary: ClusterSummary }) {
  const canRequest = useMay('data_model:what_if');
  const [zone, setZone] = useQueryValue('zone');
  const [aggregate, setAggregate] = useQueryValue('aggregate');
  const [view, setView] = useQueryValue('view');
  const zones = useMemo(() => [...new Set(summary.hosts.map((host) => host.zone))].sort(compareNames), [summary.hosts]);
  const aggregateId = summary.aggregates.find((known) => known.name === aggregate)?.id;
  const hosts = useMemo(
    () =>
      summary.hosts.filter(
        (host) =>
          (zone === '' || host.zone === zone) && (aggregate === '' || host.aggregates.includes(aggregateId ?? -1)),
      ),
    [summary.hosts, zone, aggregate, aggregateId],
  );
  const columns = useMemo(hostColumns, []);
  const hasMap = view !== 'table';
  return (
    <Grid hasGutter>
      <Gaps summary={summary} />
      <GridItem>
        <Flex gap={{ default: 'gapSm' }}>
          <ChoiceFilter label={text('column.zone')} value={zone} choices={zones} onChange={setZone} />
          <ChoiceFilter
            label={text('column.aggregate')}
            value={aggregate}
            choices={summary.aggregates.map((known) => known.name).sort(compareNames)}
            onChange={setAggregate}
          />
          {canRequest && zone !== '' && (
            <Link to={whatIfPath({ question: 'lose', kind: 'zone', names: [zone] })}>{text('whatIf.ofZone')}</Link>
          )}
          <ToggleGroup aria-label={text('cluster.parts')}>
            <ToggleGroupItem text={text('cluster.both')} isSelected={hasMap} onChange={() => setView('')} />
            <ToggleGroupItem text={text('cluster.table')} isSelected={!hasMap} onChange={() => setView('table')} />
          </ToggleGroup>
        </Flex>
      </GridItem>
      {hasMap && <MapAndSpread hosts={hosts} summary={summary} />}
      <GridItem>
        <DataTable
          label={text('column.hosts')}
          rows={hosts}
          columns={columns}
          rowKey={(host) => host.uuid}
          sortBy={hottest(columns, summary)}
          isFiltered={zone !== '' || aggregate !== ''}
        />
      </GridItem>
    </Grid>
  );
}

/** The hottest host first: by its measured load, or by its allocated memory where no load is measured. */
function hottest(columns: readonly Column<ClusterHost>[], { totals }: ClusterSummary): TableSort {
  const name = totals.cpu_load ? 'cpu-load' : 'memory';
  return { index: columns.findIndex((column) => column.name === name), direction: 'desc' };
}

/** Missing parts of the model. */
function Gaps({ summary: { complete, gaps, load } }: { summary: ClusterSummary }) {
  return (
    <>
      {!complete && (
        <GridItem>
          <Alert isInline variant="warning" title={text('cluster.gaps')}>
            {gaps.join('; ')}
          </Alert>
        </GridItem>
      )}
      {load.error && (
        <GridItem>
          <Alert isInline variant="warning" title={text('cluster.noLoads')}>
            {load.error}
          </Alert>
        </GridItem>
      )}
    </>
  );
}

interface MapAndSpreadProps {
  hosts: readonly ClusterHost[];
  summary: ClusterSummary;
}

function MapAndSpread({ hosts, summary: { aggregates, load } }: MapAndSpreadProps) {
  const [parameter, setMeasure] = useQueryValue('measure');
  const measure: HeatMeasure = heatMeasures.find((known) => known === parameter) ?? 'cpu_load';
  const shown = useMemo(() => shownHosts(hosts, aggregates), [hosts, aggregates]);
  const choices = useMapChoices(hosts.length);
  const { range, setRange, query } = useChartRange();
  const width = hosts.length > largeCluster ? 12 : 6;
  return (
    <>
      <GridItem xl={width}>
        <TitledCard
          isFullHeight
          title={text('cluster.mapTitle', { measure: measureTitle(measure, load), count: hosts.length })}
        >
          <Flex gap={{ default: 'gapSm' }}>
            <FormSelect
              aria-label={text('map.colour')}
              value={measure}
              onChange={(_event, next) => setMeasure(next === 'cpu_load' ? '' : next)}
              className="vigil-filter"
            >
              {heatMeasures.map((known) => (
                <FormSelectOption key={known} value={known} label={text(`cluster.measure.${known}`)} />
              ))}
            </FormSelect>
            <MapChoiceFields hosts={shown} choices={choices} />
          </Flex>
          <ClusterMap hosts={shown} measure={measure} choices={choices} />
        </TitledCard>
      </GridItem>
      <GridItem xl={width}>
        <TitledCard isFullHeight title={text('cluster.spread', { zone: zoneName() })}>
          <RangeChoice range={range} setRange={setRange} />
          <SpreadChart query={query} />
          <Content component="small">{text('charts.deviationHint')}</Content>
        </TitledCard>
      </GridItem>
    </>
  );
}

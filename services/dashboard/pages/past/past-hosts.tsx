import {
  Content,
  Flex,
  FormSelect,
  FormSelectOption,
  Grid,
  GridItem,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import { useMemo } from 'react';
import type { ClusterPast } from '#libs/client';
import { compareNames } from '../../components/compare-names.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { HostMap, useMapLayout } from '../../components/host-map/host-map.tsx';
import { MapChoiceFields, useMapChoices } from '../../components/host-map/map-choices.tsx';
import { LegendNote, MapLegend } from '../../components/host-map/map-legend.tsx';
import { scaleOf } from '../../components/host-map/scale-of.ts';
import { HostLink } from '../../components/links.tsx';
import { roundedText, wholePercent } from '../../components/number-text.ts';
import { Nothing } from '../../components/states.tsx';
import { fullTime } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { text } from '../../texts/texts.ts';
import { type HeatMeasure, heatMeasures, measureTitle } from '../cluster/cluster-map.tsx';
import { changeOf, changesText, type Side, shareOf } from './compare-hosts.ts';
import { MovedInstances } from './moved-instances.tsx';
import { UnknownParts } from './unknown-parts.tsx';

type Host = ClusterPast['hosts'][number];

interface PastHostsProps {
  past: ClusterPast;
  /** Whether `past.now` is a second moment. Otherwise it is now. */
  isCompared: boolean;
}

/** All hosts at both moments as map, the changes between them, and both moments as tables of hosts and instances. */
export function PastHosts({ past, isCompared }: PastHostsProps) {
  const [parameter, setMeasure] = useQueryValue('measure');
  const measure: HeatMeasure = heatMeasures.find((known) => known === parameter) ?? 'cpu_load';
  const [shown, setShown] = useQueryValue('side');
  const side: Side = shown === 'now' ? 'now' : 'before';
  const columns = useMemo(() => columnsOf(measure, isCompared), [measure, isCompared]);
  const hosts = useMemo(
    () => past.hosts.toSorted((left, right) => compareNames(left.hostname, right.hostname)),
    [past.hosts],
  );
  const name = measureTitle(measure, past.load);
  if (hosts.length === 0) return <Nothing title={text('cluster.noHosts')} />;
  return (
    <Grid hasGutter>
      <UnknownParts past={past} />
      <GridItem>
        <TitledCard
          title={
            side === 'now' && !isCompared
              ? text('past.mapNow', { measure: name })
              : text('past.mapBefore', { measure: name, time: fullTime(side === 'now' ? past.to : past.at) })
          }
        >
          <Content component="p" data-testid="past-changes">
            {changesText(past, measure, isCompared)}
          </Content>
          <PastMap
            hosts={hosts}
            measure={measure}
            side={side}
            isCompared={isCompared}
            onMeasure={(next) => setMeasure(next === 'cpu_load' ? '' : next)}
            onSide={(next) => setShown(next === 'now' ? 'now' : '')}
          />
        </TitledCard>
      </GridItem>
      <GridItem>
        <DataTable
          label={text('column.hosts')}
          rows={hosts}
          columns={columns}
          rowKey={({ hostname }) => hostname}
          sortBy={{ index: 3, direction: 'desc' }}
        />
      </GridItem>
      <GridItem>
        <MovedInstances past={past} />
      </GridItem>
    </Grid>
  );
}

interface PastMapProps {
  hosts: readonly Host[];
  measure: HeatMeasure;
  side: Side;
  isCompared: boolean;
  onMeasure: (measure: string) => void;
  onSide: (side: Side) => void;
}

/** The map at one of the moments. Hosts keep their places and the colours their scale, so that both can be compared. */
function PastMap({ hosts, measure, side, isCompared, onMeasure, onSide }: PastMapProps) {
  const choices = useMapChoices(hosts.length);
  const { box, layout } = useMapLayout(hosts, choices.grouping);
  const ends = useMemo(() => {
    const both = hosts.flatMap((host) => [shareOf(host, measure, 'before'), shareOf(host, measure, 'now')]);
    return scaleOf(both, choices.isRelative);
  }, [hosts, measure, choices.isRelative]);
  const shares = hosts.map((host) => shareOf(host, measure, side));
  return (
    <>
      <Flex gap={{ default: 'gapSm' }}>
        <ToggleGroup aria-label={text('past.compare')}>
          <ToggleGroupItem
            text={text('past.before')}
            isSelected={side === 'before'}
            onChange={() => onSide('before')}
          />
          <ToggleGroupItem
            text={text(isCompared ? 'past.later' : 'past.now')}
            isSelected={side === 'now'}
            onChange={() => onSide('now')}
          />
        </ToggleGroup>
        <FormSelect
          aria-label={text('map.colour')}
          value={measure}
          onChange={(_event, next) => onMeasure(next)}
          className="vigil-filter"
        >
          {heatMeasures.map((known) => (
            <FormSelectOption key={known} value={known} label={text(`cluster.measure.${known}`)} />
          ))}
        </FormSelect>
        <MapChoiceFields hosts={hosts} choices={choices} />
      </Flex>
      <MapLegend ends={ends} shares={shares}>
        {shares.includes(null) && <LegendNote className="vigil-heat-none">{text('cluster.notMeasured')}</LegendNote>}
      </MapLegend>
      <HostMap
        hosts={hosts}
        box={box}
        layout={layout}
        ends={ends}
        shareOf={(host) => shareOf(host, measure, side)}
        titleOf={({ hostname }, share) => text('cluster.hostShare', { host: hostname, share })}
        classOf={() => ''}
      />
    </>
  );
}

function columnsOf(measure: HeatMeasure, isCompared: boolean): Column<Host>[] {
  const side = (key: Side): Column<Host> => ({
    title: text(key === 'now' && isCompared ? 'past.later' : `past.${key}`),
    name: key,
    isNumber: true,
    value: (host) => shareOf(host, measure, key) ?? -1,
    render: (host) => {
      const share = shareOf(host, measure, key);
      return share === null ? text('cluster.notMeasured') : wholePercent(share);
    },
  });
  return [
    {
      title: text('column.host'),
      name: 'host',
      isWhole: true,
      value: ({ hostname }) => hostname,
      render: ({ hostname }) => <HostLink hostname={hostname} />,
    },
    side('before'),
    side('now'),
    {
      title: text('past.change'),
      name: 'change',
      isNumber: true,
      value: (host) => Math.abs(changeOf(host, measure) ?? -1),
      render: (host) => <span data-literal>{changeText(changeOf(host, measure))}</span>,
    },
    { title: text('past.instancesThen'), name: 'instances-then', value: ({ before }) => before.instances },
    {
      title: text(isCompared ? 'past.instancesLater' : 'past.instancesNow'),
      name: 'instances-now',
      value: ({ now }) => now.instances,
    },
    { title: text('past.arrived'), name: 'arrived', value: ({ arrived }) => arrived },
    { title: text('past.left'), name: 'left', value: ({ left }) => left },
  ];
}

function changeText(change: number | null): string {
  if (change === null) return text('cluster.notMeasured');
  const points = roundedText(Math.abs(change));
  const sign = points === '0' ? '±' : change > 0 ? '+' : '−';
  return text('past.points', { points: `${sign}${points}`, count: Math.round(Math.abs(change)) });
}

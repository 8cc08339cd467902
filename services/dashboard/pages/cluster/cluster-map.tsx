import { useMemo } from 'react';
import type { ClusterHost, ClusterSummary } from '../../api/cluster-types.ts';
import { type GroupedHost, hottestFirst } from '../../components/host-map/host-groups.ts';
import { HostMap, useMapLayout } from '../../components/host-map/host-map.tsx';
import type { MapChoices } from '../../components/host-map/map-choices.tsx';
import { LegendNote, MapLegend } from '../../components/host-map/map-legend.tsx';
import { scaleOf } from '../../components/host-map/scale-of.ts';
import { Nothing } from '../../components/states.tsx';
import { durationText } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';

/** Measures for the colour of a host. */
export const heatMeasures = ['cpu_load', 'memory_load', 'vcpus', 'memory', 'disk'] as const;

/** One of them. */
export type HeatMeasure = (typeof heatMeasures)[number];

/** A value from 0 to 100, or above if allocated beyond the capacity. Null if unknown. */
export function heatOf(host: ClusterHost, measure: HeatMeasure): number | null {
  if (measure === 'cpu_load' || measure === 'memory_load') return host[measure];
  const { used, capacity } = host[measure];
  return capacity > 0 ? (100 * used) / capacity : null;
}

/**
 * Title of a measure, with the averaging period of a load: `CPU load, mean of 5 min`.
 * @param loads the measurement of the loads, as the API has it
 */
export function measureTitle(measure: HeatMeasure, loads: { period_seconds: number }): string {
  const name = text(`cluster.measure.${measure}`);
  if (measure !== 'cpu_load' && measure !== 'memory_load') return name;
  return text('cluster.measureMean', { measure: name, period: durationText(loads.period_seconds) });
}

/** A host of the cluster with the names of its aggregates. */
export interface ShownHost extends GroupedHost {
  host: ClusterHost;
}

/** Hosts as the map groups them. */
export function shownHosts(hosts: readonly ClusterHost[], aggregates: ClusterSummary['aggregates']): ShownHost[] {
  const names = new Map(aggregates.map(({ id, name }) => [id, name]));
  return hosts.map((host) => ({
    hostname: host.hostname,
    zone: host.zone,
    aggregates: host.aggregates.flatMap((id) => names.get(id) ?? []),
    host,
  }));
}

interface ClusterMapProps {
  hosts: readonly ShownHost[];
  measure: HeatMeasure;
  choices: MapChoices;
  /** Host that something is dragged to. */
  target?: string | null;
  /** Opens a host. Default: its page. */
  onOpen?: (hostname: string) => void;
}

/** All hosts, coloured by allocation or load. The table below has the numbers. */
export function ClusterMap({ hosts: given, measure, choices, target = null, onOpen }: ClusterMapProps) {
  const hosts = useMemo(() => hottestFirst(given, ({ host }) => heatOf(host, measure)), [given, measure]);
  const { box, layout } = useMapLayout(hosts, choices.grouping);
  const ends = useMemo(
    () =>
      scaleOf(
        hosts.map(({ host }) => heatOf(host, measure)),
        choices.isRelative,
      ),
    [hosts, measure, choices.isRelative],
  );
  if (hosts.length === 0) return <Nothing title={text('cluster.noHosts')} />;
  return (
    <>
      <MapLegend ends={ends} shares={hosts.map(({ host }) => heatOf(host, measure))}>
        {hosts.some(({ host }) => heatOf(host, measure) === null) && (
          <LegendNote className="vigil-heat-none">{text('cluster.notMeasured')}</LegendNote>
        )}
        {hosts.some(isOut) && <LegendNote className="vigil-cell-out">{text('cluster.isOut')}</LegendNote>}
      </MapLegend>
      <HostMap
        hosts={hosts}
        box={box}
        layout={layout}
        ends={ends}
        shareOf={({ host }) => heatOf(host, measure)}
        titleOf={titleOf}
        classOf={(shown) =>
          `${isOut(shown) ? 'vigil-cell-out' : ''} ${shown.hostname === target ? 'vigil-map-target' : ''}`.trim()
        }
        onOpen={onOpen}
      />
    </>
  );
}

function titleOf({ hostname, host }: ShownHost, share: string): string {
  const states = [
    ...(host.state === 'down' ? [text('cluster.isDown')] : []),
    ...(host.status === 'disabled' ? [text('cluster.isDisabled')] : []),
  ];
  return [text('cluster.hostShare', { host: hostname, share }), ...states].join(', ');
}

/** Whether it accepts no further instances. */
function isOut({ host }: ShownHost): boolean {
  return host.status === 'disabled' || host.state === 'down';
}

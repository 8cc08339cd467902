import { useMemo, useState } from 'react';
import type { PlanHost } from '#libs/client';
import type { ClusterSummary } from '../../api/cluster-types.ts';
import { HostMap, useMapLayout } from '../../components/host-map/host-map.tsx';
import { useMapChoices } from '../../components/host-map/map-choices.tsx';
import { LegendNote, MapLegend } from '../../components/host-map/map-legend.tsx';
import { scaleOf } from '../../components/host-map/scale-of.ts';
import { wholePercent } from '../../components/number-text.ts';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import type { LiveKinds } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { MapControls, type MapMoment } from './map-controls.tsx';
import { type MapHost, type MapMeasure, mapHosts, mapMeasures, shareAt } from './map-hosts.ts';
import { movesOn } from './map-moves.ts';
import type { MapOfPlan } from './use-map-of-plan.ts';

type Action = LiveKinds['action'];

interface PlanMapProps {
  map: MapOfPlan;
  actions: readonly Action[];
  /** The quantity of the headline. Undefined while unknown. */
  quantity: MapMeasure | undefined;
}

/** All hosts by allocation, before and after the plan and so far, with running migrations. */
export function PlanMap({ map: { preview, cloud, isLoading }, actions, quantity }: PlanMapProps) {
  if (preview.isPending || isLoading) return <Loading what={text('plan.hosts')} as="drawing" />;
  if (preview.isError)
    return (
      <Failure title={text('plan.hostsUnreadable')} error={preview.error} onRetry={() => void preview.refetch()} />
    );
  if (preview.data.hosts_taken_at === null) return <Nothing title={text('plan.notStored')} />;
  return <HostsOfPlan planned={preview.data.hosts} cloud={cloud.data} actions={actions} quantity={quantity} />;
}

interface HostsOfPlanProps extends Pick<PlanMapProps, 'actions' | 'quantity'> {
  planned: readonly PlanHost[];
  cloud: ClusterSummary | undefined;
}

function HostsOfPlan({ planned, cloud, actions, quantity }: HostsOfPlanProps) {
  const [parameter, setMeasure] = useQueryValue('of');
  const isLoadKnown = planned.some(({ after }) => after?.cpu_load !== undefined);
  const usual = quantity ?? (isLoadKnown ? 'cpu_load' : 'memory');
  const measure = mapMeasures.find((known) => known === parameter) ?? usual;
  const hasStarted = actions.some(({ state }) => state !== 'PENDING' && state !== 'SKIPPED');
  const [moment, setMoment] = useState<MapMoment>(hasStarted ? 'so far' : 0);
  const hosts = useMemo(() => mapHosts(planned, cloud, measure), [planned, cloud, measure]);
  const choices = useMapChoices(hosts.length);
  const shareOf = (host: MapHost) => (moment === 'so far' ? host.soFar : shareAt(host, moment));
  const { box, layout } = useMapLayout(hosts, choices.grouping);
  const ends = useMemo(
    () =>
      scaleOf(
        hosts.flatMap(({ before, after }) => [before, after]),
        choices.isRelative,
      ),
    [hosts, choices.isRelative],
  );
  const moves = useMemo(() => movesOn(actions, layout), [actions, layout]);
  return (
    <>
      <MapControls
        hosts={hosts}
        moment={moment}
        measure={measure}
        choices={choices}
        hasStarted={hasStarted}
        onMoment={setMoment}
        onMeasure={(next) => setMeasure(next === usual ? '' : next)}
      />
      <MapLegend ends={ends} shares={hosts.map(shareOf)}>
        {hosts.some(({ isTouched }) => !isTouched) && (
          <LegendNote className="vigil-map-touched">{text('map.touched')}</LegendNote>
        )}
        {moves.length > 0 && <span className="vigil-heat-note">● {text('map.moving', { count: moves.length })}</span>}
      </MapLegend>
      <HostMap
        hosts={hosts}
        box={box}
        layout={layout}
        ends={ends}
        shareOf={shareOf}
        titleOf={titleOf}
        classOf={({ isTouched }) => (isTouched ? 'vigil-map-touched' : '')}
      >
        {moves.length > 0 && (
          <svg className="vigil-map-moves" height={layout.height} aria-hidden="true">
            {moves.map(({ uuid, path, at }) => (
              <g key={uuid}>
                {path !== null && <path d={path} className="vigil-map-path" />}
                <circle cx={at.x} cy={at.y} r={5} className="vigil-map-instance" />
              </g>
            ))}
          </svg>
        )}
      </HostMap>
    </>
  );
}

function titleOf({ hostname, before, after, isTouched }: MapHost, share: string): string {
  if (!isTouched) return text('map.untouched', { host: hostname, share });
  const shareText = (part: number | null) => (part === null ? text('map.unknown') : wholePercent(part));
  return text('map.changed', { host: hostname, share, before: shareText(before), after: shareText(after) });
}

import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { dataOf, type PlanHost } from '#libs/client';
import type { ClusterSummary } from '../../api/cluster-types.ts';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { useQueryValue } from '../../components/use-query-value.ts';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { LiveKinds } from '../../live/live-entities.ts';
import { useOnStream } from '../../live/use-on-stream.ts';
import { MapCells } from './map-cells.tsx';
import { MapControls, MapLegend, type MapView } from './map-controls.tsx';
import { type Grouping, groupsOf, knowsRacks, mapHosts, scaleOf } from './map-hosts.ts';
import { layoutMap } from './map-layout.ts';
import { movesOn } from './map-moves.ts';
import './plan-map.css';
import { useWidth } from './use-width.ts';

type Action = LiveKinds['action'];

/** So long changes are collected before the hosts are read again while the plan runs. */
const settleMs = 1_000;

interface PlanMapProps {
  planUuid: string;
  actions: readonly Action[];
}

/** All hosts by what they hold, before and after the plan and as far as it has come, with what moves now. */
export function PlanMap({ planUuid, actions }: PlanMapProps) {
  const { client, internal } = useDashboard();
  const maySeeCloud = useMay('internal:read');
  const preview = useQuery({
    queryKey: ['plan-preview', planUuid],
    staleTime: 0,
    queryFn: () =>
      dataOf(client.api.GET('/v1/action_plans/{ident}/preview', { params: { path: { ident: planUuid } } })),
  });
  useOnStream(['action_plan'], () => preview.refetch({ cancelRefetch: false }), settleMs);
  const cloud = useQuery({
    queryKey: ['internal', 'cluster/summary'],
    queryFn: () => internal<ClusterSummary>('cluster/summary'),
    enabled: maySeeCloud,
  });
  if (preview.isPending || (maySeeCloud && cloud.isPending)) return <Loading what="hosts before and after" />;
  if (preview.isError)
    return <Failure title="The hosts cannot be shown" error={preview.error} onRetry={() => void preview.refetch()} />;
  if (preview.data.hosts_taken_at === null)
    return <Nothing title="What the hosts held when this plan was made was not stored" />;
  return <HostMap planned={preview.data.hosts} cloud={cloud.data} actions={actions} />;
}

interface HostMapProps {
  planned: readonly PlanHost[];
  cloud: ClusterSummary | undefined;
  actions: readonly Action[];
}

function HostMap({ planned, cloud, actions }: HostMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [group, setGroup] = useQueryValue('group');
  const [scale, setScale] = useQueryValue('scale');
  const [measure, setMeasure] = useQueryValue('of');
  const hasBegun = actions.some(({ state }) => state !== 'PENDING' && state !== 'SKIPPED');
  const [moment, setMoment] = useState<MapView['moment']>(hasBegun ? 'so far' : 0);
  const hosts = useMemo(
    () => mapHosts(planned, cloud, measure === 'vcpus' ? 'vcpus' : 'memory'),
    [planned, cloud, measure],
  );
  const grouping = groupings.find((known) => known === group) ?? 'none';
  const layout = useMemo(() => layoutMap(groupsOf(hosts, grouping), width), [hosts, grouping, width]);
  const ends = useMemo(() => scaleOf(hosts, scale === 'relative'), [hosts, scale]);
  const moves = useMemo(() => movesOn(actions, layout), [actions, layout]);
  return (
    <>
      <MapControls
        view={{ moment, grouping, measure: measure === 'vcpus' ? 'vcpus' : 'memory', isRelative: scale === 'relative' }}
        hasZones={cloud !== undefined}
        hasRacks={knowsRacks(hosts)}
        hasBegun={hasBegun}
        onMoment={setMoment}
        onGrouping={(next) => setGroup(next === 'none' ? '' : next)}
        onMeasure={(next) => setMeasure(next === 'memory' ? '' : next)}
        onRelative={(isRelative) => setScale(isRelative ? 'relative' : '')}
      />
      <div ref={box}>
        <div className="vigil-map" style={{ height: layout.height }}>
          <MapCells hosts={hosts} layout={layout} ends={ends} moment={moment} />
          {moves.length > 0 && (
            <svg className="vigil-map-moves" height={layout.height} aria-hidden="true">
              {moves.map(({ uuid, from, to, at }) => (
                <g key={uuid}>
                  {to && <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} className="vigil-map-path" />}
                  <circle cx={at.x} cy={at.y} r={5} className="vigil-map-instance" />
                </g>
              ))}
            </svg>
          )}
        </div>
      </div>
      <MapLegend ends={ends} moving={moves.length} hasOthers={hosts.some(({ isTouched }) => !isTouched)} />
    </>
  );
}

const groupings: readonly Grouping[] = ['none', 'zone', 'aggregate', 'rack'];

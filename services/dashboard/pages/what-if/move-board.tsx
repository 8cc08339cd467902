import { Button } from '@patternfly/react-core';
import GripVerticalIcon from '@patternfly/react-icons/dist/esm/icons/grip-vertical-icon';
import { useMemo, useState } from 'react';
import type { ClusterSummary, HostInstance } from '../../api/cluster-types.ts';
import { hottestFirst } from '../../components/host-map/host-groups.ts';
import { useMapChoices } from '../../components/host-map/map-choices.tsx';
import { gibText } from '../../components/number-text.ts';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import type { WhatIfForm } from '../../components/what-if-path.ts';
import { useClusterSummary } from '../../live/use-cluster-summary.ts';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { text } from '../../texts/texts.ts';
import { ClusterMap, heatOf, shownHosts } from '../cluster/cluster-map.tsx';
import './move-board.css';
import { type MovedInstance, moveOf } from './moved-instance.ts';
import { useDrag } from './use-drag.ts';

interface MoveBoardProps {
  moves: WhatIfForm['moves'];
  onMove: (instance: MovedInstance, host: string) => void;
  /** Selects an instance for the host field, for use without a pointer. */
  onInstance: (instance: MovedInstance) => void;
}

/** The map of the hosts and the instances of one of them, which are dragged to another host. */
export function MoveBoard(props: MoveBoardProps) {
  const cluster = useClusterSummary();
  if (cluster.isPending) return <Loading what={text('column.hosts')} as="drawing" />;
  if (!cluster.data) {
    return <Failure title={text('cluster.unreadable')} error={cluster.error} onRetry={() => void cluster.refetch()} />;
  }
  if (cluster.data.hosts.length === 0) return <Nothing title={text('cluster.noHosts')} />;
  return <Board cluster={cluster.data} {...props} />;
}

function Board({ cluster, moves, onMove, onInstance }: MoveBoardProps & { cluster: ClusterSummary }) {
  const hosts = useMemo(() => shownHosts(cluster.hosts, cluster.aggregates), [cluster]);
  const [chosen, setChosen] = useState<string | null>(null);
  const fullest = useMemo(() => hottestFirst(hosts, ({ host }) => heatOf(host, 'memory'))[0]?.hostname, [hosts]);
  const hostname = chosen ?? fullest ?? '';
  const choices = useMapChoices(hosts.length);
  const { drag, handlersOf, wasDrag } = useDrag(onMove);
  const found = useStreamQuery<{ instances: HostInstance[] }>(`cluster/hosts/${encodeURIComponent(hostname)}`, [
    'data_model',
  ]);
  const instances = found.isPlaceholderData ? undefined : found.data?.instances;
  return (
    <section aria-label={text('whatIf.board')} className="vigil-move-board">
      <p className="vigil-subtle">{text('whatIf.boardHint')}</p>
      <h3>{text('whatIf.instancesOf', { host: hostname })}</h3>
      {found.isError && !instances && <Failure title={text('host.unreadable')} error={found.error} />}
      {!found.isError && !instances && <Loading what={text('column.instances')} />}
      {instances?.length === 0 && text('whatIf.noInstances')}
      <ul className="vigil-move-instances" data-testid="move-instances">
        {instances?.map(({ uuid, name, memory }) => {
          const to = moveOf(moves, { uuid, name })?.host;
          return (
            <li key={uuid}>
              <Button
                variant="secondary"
                size="sm"
                className="vigil-move-instance"
                data-testid="move-instance"
                data-instance={uuid}
                icon={<GripVerticalIcon data-grip aria-hidden="true" />}
                onClick={(event) => {
                  if (!wasDrag(event)) onInstance({ uuid, name });
                }}
                {...handlersOf({ uuid, name }, hostname)}
              >
                {name} ({gibText(memory)}){to !== undefined && ` → ${to}`}
              </Button>
            </li>
          );
        })}
      </ul>
      <h3>{text('cluster.mapTitle', { measure: text('cluster.measure.memory'), count: hosts.length })}</h3>
      <ClusterMap hosts={hosts} measure="memory" choices={choices} target={drag?.host ?? null} onOpen={setChosen} />
      {drag && (
        <div className="vigil-move-ghost" style={{ insetInlineStart: drag.x, insetBlockStart: drag.y }} aria-hidden>
          {drag.instance.name} {drag.host !== null && `→ ${drag.host}`}
        </div>
      )}
    </section>
  );
}

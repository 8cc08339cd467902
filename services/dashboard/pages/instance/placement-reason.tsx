import { useQuery } from '@tanstack/react-query';
import type { ClusterInstance, MoveList } from '../../api/find-types.ts';
import { PlanLink } from '../../components/links.tsx';
import { useMaySeeMoves } from '../../components/move-history.tsx';
import { Prose } from '../../components/prose.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import { lastMove } from './last-move.ts';

/** The last migration of the instance to its host, from the history of plans. */
export function PlacementReason({ instance }: { instance: ClusterInstance['instance'] }) {
  const { internal } = useDashboard();
  const maySee = useMaySeeMoves();
  const moves = useQuery({
    queryKey: ['last-move', instance.uuid, instance.hostname],
    queryFn: () => internal<MoveList>(`moves?instance=${encodeURIComponent(instance.uuid)}&limit=20`),
    enabled: maySee,
    staleTime: 0,
  });
  if (moves.isLoading) return <Loading what={text('moves.label')} as="line" />;
  if (moves.isError && !moves.data) return <Failure title={text('moves.unreadable')} error={moves.error} />;
  if (!moves.data) return null;
  const { move, since } = lastMove(moves.data.moves, instance.hostname);
  if (move)
    return (
      <p className="vigil-lead">
        {since === 'still' ? text('instance.movedHere') : text('instance.placedByNova')} <Time at={move.ended_at} /> (
        <PlanLink uuid={move.plan_uuid} undone={move.rolls_back} />
        ). {move.why && <Prose text={move.why} />}
      </p>
    );
  return (
    <p className="vigil-lead">
      {since === 'moved on'
        ? text('instance.movedSince')
        : text('instance.noMove', {
            finding: moves.data.total === 0 ? text('instance.noPlan') : text('instance.noneCompleted'),
          })}
    </p>
  );
}

import { useMemo } from 'react';
import type { Move, MoveList } from '../api/find-types.ts';
import { useMay } from '../live/dashboard-context.tsx';
import { useDisplayNames } from './display-names.tsx';
import { AuditLink, HostLink, InstanceLink, PlanLink } from './links.tsx';
import { PagedTable } from './paged-table.tsx';
import { Prose } from './prose.tsx';
import { StateLabel } from './state-label.tsx';
import { Nothing } from './states.tsx';
import type { Column } from './table-view.tsx';
import { Time } from './time.tsx';

const pageOf = ({ moves, total }: MoveList) => ({ rows: moves, total });
const rowKey = (move: Move) => move.action_uuid;

/** Whether somebody may see what was moved. */
export function useMaySeeMoves(): boolean {
  const [actions, plans] = [useMay('action:get_all'), useMay('action_plan:get_all')];
  return actions && plans;
}

/** What plans have moved: one instance, or from and to one host. */
export function MoveHistory({ of }: { of: { instance: string } | { host: string } }) {
  const displayName = useDisplayNames();
  const isOfHost = 'host' in of;
  const columns = useMemo<Column<Move>[]>(
    () => [
      { title: 'When', render: (move) => <Time at={move.started_at} /> },
      ...(isOfHost ? [{ title: 'Instance', render: instanceOf }] : []),
      { title: 'From', render: (move) => hostOf(move.from) },
      { title: 'To', render: (move) => hostOf(move.to, 'chosen by Nova') },
      { title: 'Result', render: (move) => <StateLabel state={move.state} /> },
      { title: 'Why', render: (move) => <Why move={move} /> },
      { title: 'Plan', render: (move) => <PlanLink uuid={move.plan_uuid} undone={move.rolls_back} /> },
      { title: 'Audit', render: (move) => <AuditLink uuid={move.audit_uuid} name={move.audit_name} /> },
      { title: 'Strategy', render: (move) => displayName(move.strategy_name) },
    ],
    [displayName, isOfHost],
  );
  return (
    <PagedTable<Move, MoveList>
      label="Moves"
      name="moves"
      path="moves"
      query={{ ...of }}
      isSearched={false}
      pageOf={pageOf}
      columns={columns}
      rowKey={rowKey}
      sortBy={{ index: 0, direction: 'desc' }}
      kinds={['action']}
      empty={<Nothing title="No plan has moved anything here">As far back as plans are kept.</Nothing>}
    />
  );
}

function instanceOf({ instance, instance_name: name }: Move) {
  return <InstanceLink uuid={instance} name={name} />;
}

function hostOf(hostname: string | null, otherwise = '–') {
  return hostname === null ? otherwise : <HostLink hostname={hostname} />;
}

/** The reason of the strategy, or of a failure. */
function Why({ move: { state, why, status_message: message } }: { move: Move }) {
  const text = state === 'FAILED' ? (message ?? why) : why;
  return text === null ? '–' : <Prose text={text} />;
}

import { useMemo } from 'react';
import type { Move, MoveList } from '../api/find-types.ts';
import { useMay } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';
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

/** Whether the user may read migrations. */
export function useMaySeeMoves(): boolean {
  const [actions, plans] = [useMay('action:get_all'), useMay('action_plan:get_all')];
  return actions && plans;
}

/** Migrations by plans: of one instance, or from and to one host. */
export function MoveHistory({ of }: { of: { instance: string } | { host: string } }) {
  const displayName = useDisplayNames();
  const isOfHost = 'host' in of;
  const columns = useMemo<Column<Move>[]>(
    () => [
      { title: text('column.when'), isWhole: true, render: (move) => <Time at={move.started_at} /> },
      ...(isOfHost ? [{ title: text('column.instance'), isWhole: true, render: instanceOf }] : []),
      { title: text('column.from'), isWhole: true, render: (move) => hostOf(move.from) },
      { title: text('column.to'), isWhole: true, render: (move) => hostOf(move.to, text('common.chosenByNova')) },
      { title: text('column.result'), render: (move) => <StateLabel state={move.state} /> },
      { title: text('column.reason'), render: (move) => <Why move={move} /> },
      {
        title: text('column.plan'),
        render: (move) => (
          <div className="vigil-whole-words">
            <PlanLink uuid={move.plan_uuid} undone={move.rolls_back} />
            <div className="vigil-subtle">
              <AuditLink uuid={move.audit_uuid} name={move.audit_name} />, {displayName(move.strategy_name)}
            </div>
          </div>
        ),
      },
    ],
    [displayName, isOfHost],
  );
  return (
    <PagedTable<Move, MoveList>
      label={text('moves.label')}
      name="moves"
      path="moves"
      query={{ ...of }}
      isSearched={false}
      pageOf={pageOf}
      columns={columns}
      rowKey={rowKey}
      sortBy={{ index: 0, direction: 'desc' }}
      kinds={['action']}
      empty={<Nothing title={text('moves.none')}>{text('moves.noneHint')}</Nothing>}
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
  const words = state === 'FAILED' ? (message ?? why) : why;
  return words === null ? '–' : <Prose text={words} />;
}

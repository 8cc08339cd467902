import { Button, ToolbarItem } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import type { LiveKinds } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { actionLabel, namesIn, progressOf, routeOf } from './action-text.ts';
import { SkipButton } from './skip-button.tsx';

type Action = LiveKinds['action'];

interface PlanActionsProps {
  actions: readonly Action[];
  /** Whether the plan has not started, so that actions can still be skipped. */
  canSkip: boolean;
  onChoose: (uuid: string) => void;
}

const rowKey = (action: Action) => action.uuid;
const isWaiting = (action: Action) => action.state === 'PENDING';

/** Actions of a plan as a table. Before it starts, the user can select and skip any of them. */
export function PlanActions({ actions, canSkip, onChoose }: PlanActionsProps) {
  const mayUpdate = useMay('action:update');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  // Actions that were skipped since are no longer selected.
  const chosen = useMemo(
    () => new Set(actions.filter((action) => isWaiting(action) && ticked.has(action.uuid)).map(rowKey)),
    [actions, ticked],
  );
  const columns = useMemo<Column<Action>[]>(() => {
    const known = namesIn(actions);
    const names = new Map(actions.map((action) => [action.uuid, actionLabel(action)]));
    return [
      {
        title: text('column.action'),
        name: 'action',
        value: actionLabel,
        render: (action) => (
          <Button variant="link" isInline onClick={() => onChoose(action.uuid)}>
            <span className="vigil-whole">{actionLabel(action)}</span>
          </Button>
        ),
      },
      {
        title: text('column.state'),
        name: 'state',
        value: (action) => action.state,
        render: (action) => (
          <span className="vigil-row-line">
            <StateLabel state={action.state} /> {progressOf(action)}
          </span>
        ),
      },
      {
        title: text('plan.location'),
        name: 'where',
        value: routeOf,
        render: (action) => routeOf(action) && <Route route={routeOf(action)} />,
      },
      {
        title: text('plan.waitsFor'),
        name: 'waits-for',
        value: (action) => action.parents.length,
        render: ({ parents }) => waitsText(parents.map((uuid) => names.get(uuid) ?? uuid)),
      },
      {
        title: text('plan.message'),
        name: 'message',
        value: (action) => action.status_message ?? '',
        render: (action) => action.status_message && <Prose text={action.status_message} nameOf={known} />,
      },
    ];
  }, [actions, onChoose]);
  const isSkippable = canSkip && mayUpdate;
  return (
    <DataTable
      label={text('column.actions')}
      name="actions"
      rows={actions}
      columns={columns}
      rowKey={rowKey}
      {...(isSkippable
        ? {
            selection: { chosen, onChange: setTicked, canChoose: isWaiting, nameOf: actionLabel },
            filters: <SkipChosen chosen={chosen} onSkipped={() => setTicked(new Set())} />,
          }
        : {})}
    />
  );
}

function SkipChosen({ chosen, onSkipped }: { chosen: ReadonlySet<string>; onSkipped: () => void }) {
  const count = chosen.size;
  return (
    <ToolbarItem>
      <SkipButton
        uuids={[...chosen]}
        label={count === 0 ? text('plan.skipChosen') : text('plan.skipCount', { count })}
        onSkipped={onSkipped}
      />
    </ToolbarItem>
  );
}

/** Both ends of a route, each without a line break. */
function Route({ route }: { route: string }) {
  const [from, to] = route.split(' → ');
  return to === undefined ? (
    route
  ) : (
    <span>
      <span className="vigil-whole">{from} →</span> <span className="vigil-whole">{to}</span>
    </span>
  );
}

const namedParents = 2;

function waitsText(names: readonly string[]): string {
  if (names.length === 0) return text('plan.waitsForNothing');
  const more = names.length - namedParents;
  const named = names.slice(0, namedParents).join(', ');
  return more > 0 ? `${named} ${text('common.andMore', { count: more })}` : named;
}

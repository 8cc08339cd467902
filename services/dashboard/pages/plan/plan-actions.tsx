import { Button } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { Action } from '#libs/client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { routeOf, subjectOf } from './action-text.ts';

/** Actions of a plan as a table. */
export function PlanActions({ actions, onChoose }: { actions: readonly Action[]; onChoose: (uuid: string) => void }) {
  const columns = useMemo<Column<Action>[]>(
    () => [
      {
        title: 'Action',
        value: (action) => `${action.action_type} ${subjectOf(action)}`,
        render: (action) => (
          <Button variant="link" isInline onClick={() => onChoose(action.uuid)}>
            {action.action_type} {subjectOf(action)}
          </Button>
        ),
      },
      { title: 'State', value: (action) => action.state, render: (action) => <StateLabel state={action.state} /> },
      { title: 'Where', value: routeOf, render: routeOf },
      { title: 'Waits for', value: (action) => action.parents.length, render: (action) => waitsText(action) },
      { title: 'Message', value: (action) => action.status_message ?? '', render: (action) => action.status_message },
    ],
    [onChoose],
  );
  return <DataTable label="Actions" rows={actions} columns={columns} rowKey={(action) => action.uuid} />;
}

function waitsText({ parents }: Action): string {
  if (parents.length === 0) return 'nothing';
  return parents.length === 1 ? '1 action' : `${parents.length} actions`;
}

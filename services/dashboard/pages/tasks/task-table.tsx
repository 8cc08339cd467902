import { type ReactNode, useMemo } from 'react';
import { phraseOf, wordsOf } from '#libs/client';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Prose } from '../../components/prose.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import type { Task } from '../../live/live-entities.ts';

interface TaskTableProps {
  tasks: readonly Task[];
  empty: ReactNode;
  filters?: ReactNode;
  isFiltered?: boolean;
}

/** Tasks as a table; dead ones can be run again. */
export function TaskTable({ tasks, empty, filters, isFiltered = false }: TaskTableProps) {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const columns = useMemo<Column<Task>[]>(
    () => [
      { title: 'Task', value: (task) => task.name, render: (task) => wordsOf(task.name) },
      { title: 'State', value: (task) => task.state, render: (task) => <StateLabel state={task.state} /> },
      { title: 'Queue', value: (task) => task.queue, render: (task) => task.queue },
      {
        title: 'Tries',
        value: (task) => task.attempts,
        render: (task) => `${task.attempts} of ${task.max_attempts}`,
      },
      { title: 'Created', value: (task) => millisOf(task.created_at), render: (task) => <Time at={task.created_at} /> },
      { title: 'Ended', value: (task) => millisOf(task.ended_at), render: (task) => <Time at={task.ended_at} /> },
      {
        title: 'Error',
        value: (task) => errorText(task.error),
        render: (task) => <Prose text={errorText(task.error)} />,
      },
      {
        title: 'Actions',
        render: (task) =>
          task.state === 'FAILED' &&
          mayWrite && (
            <ConfirmButton
              label="Run again"
              title={`Run ${phraseOf(task.name)} again?`}
              run={() => internal(`tasks/${task.uuid}/retry`, { method: 'POST' })}
              done="The task will run again"
              variant="link"
            >
              With the same arguments: <code>{JSON.stringify(task.args)}</code>
            </ConfirmButton>
          ),
      },
    ],
    [internal, mayWrite],
  );
  return (
    <DataTable
      label="Tasks"
      rows={tasks}
      columns={columns}
      rowKey={(task) => task.uuid}
      sortBy={{ index: 4, direction: 'desc' }}
      filters={filters}
      isFiltered={isFiltered}
      empty={empty}
    />
  );
}

function errorText(error: unknown): string {
  if (error === null || error === undefined) return '';
  if (typeof error === 'object' && 'message' in error) return String(error.message);
  return typeof error === 'string' ? error : JSON.stringify(error);
}

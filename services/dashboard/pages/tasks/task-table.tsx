import { type ReactNode, useMemo } from 'react';
import { useDashboard } from '../../api/dashboard-context.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { StateLabel } from '../../components/state-label.tsx';
import { millisOf, Time } from '../../components/time.tsx';

/** A background task, as the internal API shows it. */
export interface Task {
  uuid: string;
  name: string;
  args: unknown;
  queue: string;
  state: string;
  attempts: number;
  max_attempts: number;
  error: unknown;
  created_by: string | null;
  created_at: string | null;
  started_at: string | null;
  ended_at: string | null;
}

/** Tasks as a table; dead ones can be run again. */
export function TaskTable({ tasks, empty }: { tasks: readonly Task[]; empty: ReactNode }) {
  const { internal } = useDashboard();
  const columns = useMemo<Column<Task>[]>(
    () => [
      { title: 'Task', value: (task) => task.name, render: (task) => task.name },
      { title: 'State', value: (task) => task.state, render: (task) => <StateLabel state={task.state} /> },
      { title: 'Queue', value: (task) => task.queue, render: (task) => task.queue },
      {
        title: 'Tries',
        value: (task) => task.attempts,
        render: (task) => `${task.attempts} of ${task.max_attempts}`,
      },
      { title: 'Made', value: (task) => millisOf(task.created_at), render: (task) => <Time at={task.created_at} /> },
      { title: 'Ended', value: (task) => millisOf(task.ended_at), render: (task) => <Time at={task.ended_at} /> },
      {
        title: 'Error',
        value: (task) => errorText(task.error),
        render: (task) => errorText(task.error),
      },
      {
        title: 'What to do',
        render: (task) =>
          task.state === 'FAILED' && (
            <ConfirmButton
              label="Run again"
              title={`Run ${task.name} again?`}
              run={() => internal(`tasks/${task.uuid}/retry`, { method: 'POST' })}
              done="The task will run again"
              variant="link"
            >
              With the same arguments: {JSON.stringify(task.args)}
            </ConfirmButton>
          ),
      },
    ],
    [internal],
  );
  return (
    <DataTable
      label="Tasks"
      rows={tasks}
      columns={columns}
      rowKey={(task) => task.uuid}
      sortBy={{ index: 4, direction: 'desc' }}
      empty={empty}
    />
  );
}

function errorText(error: unknown): string {
  if (error === null || error === undefined) return '';
  if (typeof error === 'object' && 'message' in error) return String(error.message);
  return typeof error === 'string' ? error : JSON.stringify(error);
}

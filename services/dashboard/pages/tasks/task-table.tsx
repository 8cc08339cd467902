import { type ReactNode, useMemo } from 'react';
import type { Task } from '../../api/internal-types.ts';
import { proseColumn, stateColumn, timeColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDashboard, useMay } from '../../live/dashboard-context.tsx';
import { phraseOf, wordsOf } from '../../texts/api-names.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';

interface TaskTableProps {
  tasks: readonly Task[];
  empty: ReactNode;
  filters?: ReactNode;
  isFiltered?: boolean;
}

/** Tasks as a table. Failed ones can be run again. */
export function TaskTable({ tasks, empty, filters, isFiltered = false }: TaskTableProps) {
  const { internal } = useDashboard();
  const mayWrite = useMay('internal:write');
  const columns = useMemo<Column<Task>[]>(
    () => [
      { title: text('tasks.task'), name: 'task', value: (task) => task.name, render: (task) => wordsOf(task.name) },
      stateColumn(text('column.state'), 'state', (task) => task.state),
      { title: text('column.queue'), name: 'queue', value: (task) => task.queue },
      {
        title: text('column.attempts'),
        name: 'tries',
        value: (task) => task.attempts,
        render: (task) => text('overview.of', { part: task.attempts, whole: task.max_attempts }),
      },
      timeColumn(text('column.created'), 'created', (task) => task.created_at),
      timeColumn(text('plan.ended'), 'ended', (task) => task.ended_at),
      proseColumn(text('tasks.error'), 'error', (task) => errorText(task.error) || null),
      {
        title: text('column.actions'),
        render: (task) =>
          task.state === 'FAILED' &&
          mayWrite && (
            <ConfirmButton
              label={text('tasks.again')}
              title={text('tasks.confirmAgain', { name: phraseOf(task.name) })}
              run={() => internal(`tasks/${task.uuid}/retry`, { method: 'POST' })}
              done={text('tasks.willRun')}
              variant="link"
            >
              {richText('tasks.againHint', { args: <code>{JSON.stringify(task.args)}</code> })}
            </ConfirmButton>
          ),
      },
    ],
    [internal, mayWrite],
  );
  return (
    <DataTable
      label={text('page.tasks')}
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

import { Alert, PageSection } from '@patternfly/react-core';
import { useMemo } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageTabs } from '../../components/page-tabs.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { millisOf, Time } from '../../components/time.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { type Task, TaskTable } from './task-table.tsx';

interface Schedule {
  name: string;
  task: string;
  cron: string;
  timezone: string;
  enabled: boolean;
  source: string;
  last_fire_at: string | null;
  next_fire_at: string | null;
}

/** Background tasks and their schedules. */
export function TasksPage() {
  return (
    <>
      <PageHeader title="Tasks">Background work: what runs and ran, and what runs by the clock.</PageHeader>
      <PageSection hasBodyWrapper={false}>
        <PageTabs
          label="Parts of the page"
          tabs={[
            { key: 'tasks', title: 'Tasks', render: () => <AllTasks /> },
            { key: 'schedules', title: 'Schedules', render: () => <Schedules /> },
          ]}
        />
      </PageSection>
    </>
  );
}

function AllTasks() {
  const tasks = useStreamQuery<{ tasks: Task[] }>('tasks?limit=500');
  if (tasks.isPending) return <Loading what="tasks" />;
  if (!tasks.data)
    return <Failure title="The tasks can not be read" error={tasks.error} onRetry={() => void tasks.refetch()} />;
  return <TaskTable tasks={tasks.data.tasks} empty={<Nothing title="No task has run yet" />} />;
}

function Schedules() {
  const schedules = useStreamQuery<{ schedules: Schedule[]; warnings: { name: string; reason: string }[] }>(
    'tasks/schedules',
  );
  const columns = useMemo<Column<Schedule>[]>(
    () => [
      { title: 'Schedule', value: (row) => row.name, render: (row) => row.name },
      { title: 'Task', value: (row) => row.task, render: (row) => row.task },
      { title: 'When', value: (row) => row.cron, render: (row) => `${row.cron} (${row.timezone})` },
      { title: 'Enabled', value: (row) => String(row.enabled), render: (row) => (row.enabled ? 'yes' : 'no') },
      { title: 'Set by', value: (row) => row.source, render: (row) => row.source },
      { title: 'Last', value: (row) => millisOf(row.last_fire_at), render: (row) => <Time at={row.last_fire_at} /> },
      { title: 'Next', value: (row) => millisOf(row.next_fire_at), render: (row) => <Time at={row.next_fire_at} /> },
    ],
    [],
  );
  if (schedules.isPending) return <Loading what="schedules" />;
  if (!schedules.data) return <Failure title="The schedules can not be read" error={schedules.error} />;
  return (
    <>
      {schedules.data.warnings.map((warning) => (
        <Alert key={warning.name} isInline variant="warning" title={`${warning.name}: ${warning.reason}`} />
      ))}
      <DataTable label="Schedules" rows={schedules.data.schedules} columns={columns} rowKey={(row) => row.name} />
    </>
  );
}

import { Alert, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { type ReactNode, useMemo } from 'react';
import { wordsOf } from '#libs/client';
import type { AuditSchedule, ProcessLoop, TaskSchedule, TaskScheduleList } from '../../api/internal-types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { AuditLink } from '../../components/links.tsx';
import { Prose } from '../../components/prose.tsx';
import { scheduleText } from '../../components/schedule-text.ts';
import { StateLabel } from '../../components/state-label.tsx';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { durationText, millisOf, Time } from '../../components/time.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';

const scheduleColumns: Column<TaskSchedule>[] = [
  { title: 'Schedule', value: (row) => row.name, render: (row) => row.name },
  { title: 'Task', value: (row) => row.task, render: (row) => wordsOf(row.task) },
  { title: 'When', value: (row) => row.cron, render: (row) => `${row.cron} (${row.timezone})` },
  { title: 'Enabled', value: (row) => String(row.enabled), render: (row) => (row.enabled ? 'yes' : 'no') },
  { title: 'Set by', value: (row) => row.source, render: (row) => row.source },
  { title: 'Last', value: (row) => millisOf(row.last_fire_at), render: (row) => <Time at={row.last_fire_at} /> },
  { title: 'Next', value: (row) => millisOf(row.next_fire_at), render: (row) => <Time at={row.next_fire_at} /> },
];

const auditColumns = (timeZone: string): Column<AuditSchedule>[] => [
  { title: 'Audit', value: (row) => row.name, render: (row) => <AuditLink uuid={row.uuid} /> },
  { title: 'State', value: (row) => row.state, render: (row) => <StateLabel state={row.state} /> },
  { title: 'When', value: (row) => row.interval, render: (row) => scheduleText(row.interval, timeZone) },
  { title: 'Last', value: (row) => millisOf(row.last_run_at), render: (row) => <Time at={row.last_run_at} /> },
  { title: 'Next', value: (row) => millisOf(row.next_run_time), render: (row) => <Time at={row.next_run_time} /> },
  { title: 'Failed in a row', value: (row) => row.failed_runs, render: (row) => row.failed_runs },
  {
    title: 'Message',
    value: (row) => row.status_message,
    render: (row) => row.status_message && <Prose text={row.status_message} />,
  },
];

const loopColumns: Column<ProcessLoop>[] = [
  { title: 'Loop', value: (row) => row.name, render: (row) => row.name },
  { title: 'Process', value: (row) => row.service, render: (row) => `${row.service} on ${row.host}` },
  { title: 'Every', value: (row) => row.every_seconds, render: (row) => durationText(row.every_seconds) },
  { title: 'Took', value: (row) => row.took_seconds, render: (row) => durationText(row.took_seconds) },
  { title: 'Last', value: (row) => millisOf(row.last_run_at), render: (row) => <Time at={row.last_run_at} /> },
  { title: 'Failed in a row', value: (row) => row.failures, render: (row) => row.failures },
  {
    title: 'Error',
    value: (row) => row.last_error,
    render: (row) => row.last_error && <Prose text={row.last_error} />,
  },
];

/** What runs by the clock: tasks, continuous audits, and the loops of the processes. */
export function Schedules() {
  const schedules = useStreamQuery<TaskScheduleList>('tasks/schedules', ['task', 'audit', 'data_model']);
  const { session } = useDashboard();
  const auditRows = useMemo(() => auditColumns(session.cron_time_zone), [session]);
  if (schedules.isPending) return <Loading what="schedules" />;
  if (!schedules.data)
    return (
      <Failure title="The schedules can not be read" error={schedules.error} onRetry={() => void schedules.refetch()} />
    );
  const { schedules: rows, audits, loops, warnings } = schedules.data;
  return (
    <div className="vigil-stack">
      {warnings.map((warning) => (
        <Alert
          key={warning.name}
          isInline
          variant="warning"
          title={<Prose text={`${warning.name}: ${warning.reason}`} />}
        />
      ))}
      <Titled title="Tasks">
        <DataTable
          label="Schedules"
          name="schedules"
          rows={rows}
          columns={scheduleColumns}
          rowKey={(row) => row.name}
          empty={<Nothing title="No schedules">The scheduler writes them down when it starts.</Nothing>}
        />
      </Titled>
      <Titled title="Continuous audits">
        <DataTable
          label="Continuous audits"
          name="audits"
          rows={audits}
          columns={auditRows}
          rowKey={(row) => row.uuid}
          empty={<Nothing title="No continuous audits">An audit that runs again and again is shown here.</Nothing>}
        />
      </Titled>
      <Titled title="Loops of the processes">
        <DataTable
          label="Loops"
          name="loops"
          rows={loops}
          columns={loopColumns}
          rowKey={(row) => `${row.service} ${row.host} ${row.name}`}
          perPage={10}
        />
      </Titled>
    </div>
  );
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>{children}</CardBody>
    </Card>
  );
}

import { useMemo } from 'react';
import type { AuditSchedule, ProcessLoop, TaskSchedule, TaskScheduleList } from '../../api/internal-types.ts';
import { proseColumn, stateColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { AuditLink } from '../../components/links.tsx';
import { Prose } from '../../components/prose.tsx';
import { Schedule } from '../../components/schedule.tsx';
import { scheduleLength } from '../../components/schedule-length.ts';
import { Failure, Loading, Nothing } from '../../components/states.tsx';
import { durationText } from '../../components/time.tsx';
import { TitledCard } from '../../components/titled-card.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { useDashboard } from '../../live/dashboard-context.tsx';
import { useStreamQuery } from '../../live/use-stream-query.ts';
import { wordsOf } from '../../texts/api-names.ts';
import { text } from '../../texts/texts.ts';

const scheduleColumns = (): Column<TaskSchedule>[] => [
  { title: text('field.schedule'), name: 'schedule', value: (row) => row.name },
  { title: text('tasks.task'), name: 'task', value: (row) => row.task, render: (row) => wordsOf(row.task) },
  {
    title: text('column.when'),
    name: 'when',
    value: (row) => row.cron,
    rank: (row) => scheduleLength(row.cron),
    render: (row) => <Schedule interval={row.cron} timeZone={row.timezone} />,
  },
  {
    title: text('tasks.enabled'),
    name: 'enabled',
    value: (row) => String(row.enabled),
    render: (row) => text(row.enabled ? 'common.yes' : 'common.no'),
  },
  { title: text('tasks.setBy'), name: 'set-by', value: (row) => text(`tasks.setBy.${row.source}`) },
  timeColumn(text('tasks.last'), 'last', (row) => row.last_fire_at),
  timeColumn(text('tasks.next'), 'next', (row) => row.next_fire_at),
];

const auditColumns = (timeZone: string): Column<AuditSchedule>[] => [
  {
    title: text('column.audit'),
    name: 'audit',
    value: (row) => row.name,
    render: (row) => <AuditLink uuid={row.uuid} />,
  },
  stateColumn(text('column.state'), 'state', (row) => row.state),
  {
    title: text('column.when'),
    name: 'when',
    value: (row) => row.interval,
    rank: (row) => scheduleLength(row.interval),
    render: (row) => <Schedule interval={row.interval} timeZone={timeZone} />,
  },
  timeColumn(text('tasks.last'), 'last', (row) => row.last_run_at),
  timeColumn(text('tasks.next'), 'next', (row) => row.next_run_time),
  {
    title: text('tasks.failures'),
    name: 'failed-in-a-row',
    value: (row) => row.failed_runs,
  },
  proseColumn(text('plan.message'), 'message', (row) => row.status_message),
];

const loopColumns = (): Column<ProcessLoop>[] => [
  { title: text('tasks.loop'), name: 'loop', value: (row) => wordsOf(row.name) },
  {
    title: text('tasks.process'),
    name: 'process',
    value: (row) => row.service,
    render: (row) => text('services.onHost', { name: row.service, host: row.host }),
  },
  {
    title: text('tasks.interval'),
    name: 'every',
    value: (row) => row.every_seconds,
    render: (row) => durationText(row.every_seconds),
  },
  {
    title: text('tasks.duration'),
    name: 'took',
    value: (row) => row.took_seconds,
    render: (row) => durationText(row.took_seconds),
  },
  timeColumn(text('tasks.last'), 'last', (row) => row.last_run_at),
  {
    title: text('tasks.failures'),
    name: 'failed-in-a-row',
    value: (row) => row.failures,
  },
  proseColumn(text('tasks.error'), 'error', (row) => row.last_error),
];

/** Everything that runs on a schedule: tasks, recurring audits, and the loops of the processes. */
export function Schedules() {
  const schedules = useStreamQuery<TaskScheduleList>('tasks/schedules', ['task', 'audit', 'data_model']);
  const { session } = useDashboard();
  const auditRows = useMemo(() => auditColumns(session.cron_time_zone), [session]);
  if (schedules.isPending) return <Loading what={text('tasks.schedules')} as="table" />;
  if (!schedules.data)
    return (
      <Failure
        title={text('tasks.schedulesUnreadable')}
        error={schedules.error}
        onRetry={() => void schedules.refetch()}
      />
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
      <TitledCard title={text('page.tasks')}>
        <DataTable
          label={text('tasks.schedules')}
          name="schedules"
          rows={rows}
          columns={scheduleColumns()}
          rowKey={(row) => row.name}
          empty={<Nothing title={text('tasks.noSchedules')}>{text('tasks.noSchedulesHint')}</Nothing>}
        />
      </TitledCard>
      <TitledCard title={text('tasks.continuous')}>
        <DataTable
          label={text('tasks.continuous')}
          name="audits"
          rows={audits}
          columns={auditRows}
          rowKey={(row) => row.uuid}
          empty={<Nothing title={text('tasks.noContinuous')}>{text('tasks.noContinuousHint')}</Nothing>}
        />
      </TitledCard>
      <TitledCard title={text('tasks.loopsOf')}>
        <DataTable
          label={text('tasks.loops')}
          name="loops"
          rows={loops}
          columns={loopColumns()}
          rowKey={(row) => `${row.service} ${row.host} ${row.name}`}
          perPage={10}
        />
      </TitledCard>
    </div>
  );
}

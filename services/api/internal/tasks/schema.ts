import { Type } from 'typebox';
import { taskStates } from '#libs/domain';
import { misfirePolicies, singleFlightModes } from '#libs/store';
import {
  component,
  freeObject,
  moment,
  nullableText,
  nullableUuid,
  strict,
  uuid,
  words,
} from '../../openapi/shared-schemas.ts';

const nullable = (properties: object, description: string) =>
  Type.Unsafe({ type: ['object', 'null'], properties, additionalProperties: false, description });

const task = Type.Object(
  {
    uuid: uuid('Id of the task.'),
    name: Type.String({ description: 'Name in the catalogue.' }),
    args: freeObject('Arguments.'),
    queue: Type.String({ description: 'Queue: `generic`, `masters` or `host.<host>`.' }),
    single_flight: words(singleFlightModes, 'Maximum number of live tasks at the same time.'),
    state: words(taskStates, 'State, as in docs/states.md.'),
    priority: Type.Integer(),
    attempts: Type.Integer({ description: 'Number of started attempts.' }),
    max_attempts: Type.Integer(),
    timeout_seconds: Type.Integer({ description: 'Longest run of one attempt.' }),
    progress: nullable({ percent: Type.Integer(), message: nullableText('Current step.') }, 'Progress.'),
    result: Type.Unknown({ description: 'Result; null unless SUCCEEDED.' }),
    error: nullable({ code: Type.String(), message: Type.String() }, 'Error of the last attempt.'),
    created_by: Type.String({ description: 'User, or `scheduler`.' }),
    request_id: nullableText('Id of the creating request.'),
    redriven_by: nullableText('User who last retried the failed task.'),
    redriven_at: nullableText('Time of that retry.'),
    schedule: nullableText('Schedule of the task.'),
    fire_time: nullableText('Time of the firing of the schedule.'),
    host: nullableText('Host of the current or last run.'),
    created_at: moment('Time of the request.'),
    run_after: moment('Due time.'),
    started_at: nullableText('Start time of the last attempt.'),
    ended_at: nullableText('End time.'),
  },
  { $id: 'Task', ...strict },
);

const schedule = Type.Object(
  {
    name: Type.String(),
    task: Type.String({ description: 'Name in the catalogue.' }),
    cron: nullableText('Five fields, or six with the seconds last.'),
    timezone: Type.String(),
    args: freeObject('Arguments of each firing.'),
    enabled: Type.Boolean(),
    source: words(['code', 'config'], 'Whether the configuration file defines the schedule.'),
    misfire_policy: words(misfirePolicies, 'Handling of missed firings.'),
    max_jitter_seconds: Type.Integer(),
    last_fire_at: nullableText('Time of the last firing.'),
    next_fire_at: nullableText('Time of the next firing; null if disabled.'),
  },
  { $id: 'TaskSchedule', ...strict },
);

const auditSchedule = Type.Object(
  {
    uuid: uuid('Id of the audit.'),
    name: Type.String(),
    interval: nullableText('Seconds or cron expression.'),
    state: words(['PENDING', 'ONGOING'], 'ONGOING once its schedule has started.'),
    last_run_at: nullableText('End time of the last run; null before the first.'),
    next_run_time: nullableText('Time of the next run; null before the first.'),
    failed_runs: Type.Integer({ description: 'Runs in a row that failed.' }),
    status_message: nullableText('Error of the last run.'),
  },
  { $id: 'AuditSchedule', ...strict },
);

const loop = Type.Object(
  {
    name: Type.String({ description: 'Name of the loop, such as `outbox sweep`.' }),
    service: Type.String({ description: 'Process, such as `watcher-applier#2`.' }),
    host: Type.String(),
    every_seconds: Type.Number({ description: 'Pause between two runs; events can end it earlier.' }),
    took_seconds: Type.Number({ description: 'Length of the last run.' }),
    last_run_at: moment('End of the last run, by the last heartbeat (10 s).'),
    next_run_at: moment('Latest start of the next run, within a tenth of the interval.'),
    failures: Type.Integer({ description: 'Runs in a row that failed.' }),
    last_error: nullableText('Error of the last run.'),
  },
  { $id: 'ProcessLoop', ...strict },
);

const warning = Type.Object(
  {
    source: Type.String(),
    name: Type.String({ description: 'Configuration entry; empty for the whole file.' }),
    reason: Type.String(),
    at: moment('Start of the warning.'),
  },
  { $id: 'ConfigWarning', ...strict },
);

const kind = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    arguments_schema: freeObject('JSON Schema of the arguments.'),
    queue: words(['generic', 'masters', 'host'], 'Queue; `host` needs the name of a host.'),
    single_flight: words(singleFlightModes, 'Maximum number of live tasks at the same time.'),
    extra_names: Type.Array(Type.String(), { description: 'Tasks that must not be live at the same time.' }),
    timeout_seconds: Type.Integer(),
  },
  { $id: 'TaskKind', ...strict },
);

/** Components of the routes of tasks. */
export const taskSchemas = [
  task,
  schedule,
  auditSchedule,
  loop,
  warning,
  kind,
  Type.Object(
    { tasks: Type.Array(component('Task')), next: nullableUuid('Value of `marker` for the next page.') },
    { $id: 'TaskList', ...strict },
  ),
  Type.Object(
    {
      schedules: Type.Array(component('TaskSchedule')),
      audits: Type.Array(component('AuditSchedule')),
      loops: Type.Array(component('ProcessLoop')),
      warnings: Type.Array(component('ConfigWarning')),
    },
    { $id: 'TaskScheduleList', ...strict },
  ),
  Type.Object({ kinds: Type.Array(component('TaskKind')) }, { $id: 'TaskKindList', ...strict }),
  Type.Object(
    { ...task.properties, coalesced: Type.Boolean({ description: 'Whether the task existed already.' }) },
    { $id: 'AcceptedTask', ...strict },
  ),
];

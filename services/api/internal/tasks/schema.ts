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
    queue: Type.String({ description: '`generic`, `masters` or `host.<host>`.' }),
    single_flight: words(singleFlightModes, 'How many may be live at once.'),
    state: words(taskStates, 'See docs/states.md.'),
    priority: Type.Integer(),
    attempts: Type.Integer({ description: 'Started so far.' }),
    max_attempts: Type.Integer(),
    timeout_seconds: Type.Integer({ description: 'Longest run of one attempt.' }),
    progress: nullable({ percent: Type.Integer(), message: nullableText('Current step.') }, 'Progress.'),
    result: Type.Unknown({ description: 'Result; null unless SUCCEEDED.' }),
    error: nullable({ code: Type.String(), message: Type.String() }, 'Why it failed, or is tried again.'),
    created_by: Type.String({ description: 'User, or `scheduler`.' }),
    request_id: nullableText('Request that created it.'),
    redriven_by: nullableText('User who ran it again after it had failed, last.'),
    redriven_at: nullableText('When that was.'),
    schedule: nullableText('Schedule that fired it.'),
    fire_time: nullableText('Time of that firing.'),
    host: nullableText('Host that runs it or ran it last.'),
    created_at: moment('When it was requested.'),
    run_after: moment('When it is due.'),
    started_at: nullableText('When the last attempt started.'),
    ended_at: nullableText('When it succeeded or failed.'),
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
    source: words(['code', 'config'], 'Whether the configuration file says so.'),
    misfire_policy: words(misfirePolicies, 'Handling of missed firings.'),
    max_jitter_seconds: Type.Integer(),
    last_fire_at: nullableText('Time of the last firing.'),
    next_fire_at: nullableText('Time of the next one; null when disabled.'),
  },
  { $id: 'TaskSchedule', ...strict },
);

const auditSchedule = Type.Object(
  {
    uuid: uuid('Id of the audit.'),
    name: Type.String(),
    interval: nullableText('Seconds or cron expression.'),
    state: words(['PENDING', 'ONGOING'], 'ONGOING once its schedule has started.'),
    last_run_at: nullableText('When the last run ended, well or not; null before the first.'),
    next_run_time: nullableText('Time of the next run; null before the first.'),
    failed_runs: Type.Integer({ description: 'Runs in a row that failed.' }),
    status_message: nullableText('Why the last run failed.'),
  },
  { $id: 'AuditSchedule', ...strict },
);

const loop = Type.Object(
  {
    name: Type.String({ description: 'Such as `outbox sweep`.' }),
    service: Type.String({ description: 'Its process, such as `watcher-applier#2`.' }),
    host: Type.String(),
    every_seconds: Type.Number({ description: 'Pause between two runs; many are woken earlier.' }),
    took_seconds: Type.Number({ description: 'Length of the last run.' }),
    last_run_at: moment('End of the last run, as of the last heartbeat (10 s).'),
    next_run_at: moment('When the next one is due at the latest, give or take a tenth.'),
    failures: Type.Integer({ description: 'Runs in a row that failed.' }),
    last_error: nullableText('Why the last run failed.'),
  },
  { $id: 'ProcessLoop', ...strict },
);

const warning = Type.Object(
  {
    source: Type.String(),
    name: Type.String({ description: 'The entry; empty for the whole file.' }),
    reason: Type.String(),
    at: moment('Since when.'),
  },
  { $id: 'ConfigWarning', ...strict },
);

const kind = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    arguments_schema: freeObject('JSON Schema of the arguments.'),
    queue: words(['generic', 'masters', 'host'], '`host` needs the name of one.'),
    single_flight: words(singleFlightModes, 'How many may be live at once.'),
    extra_names: Type.Array(Type.String(), { description: 'Other tasks that may not be live beside it.' }),
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
    { ...task.properties, coalesced: Type.Boolean({ description: 'Whether it was there already.' }) },
    { $id: 'AcceptedTask', ...strict },
  ),
];

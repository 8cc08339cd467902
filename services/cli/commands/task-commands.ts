import type { Command } from 'commander';
import { type VigilClient, waitUntil } from '#libs/client';
import { type CliContext, note } from '../cli-context.ts';
import { OutcomeError, UsageError } from '../errors.ts';
import { column, objectText } from '../output/columns.ts';
import { type OutputOptions, withFields, withRows } from '../output/output-options.ts';
import { printRow, printRows, printTables } from '../output/print.ts';
import { clientOf, collect, parseParameters, pathWith, suggesting } from './shared-options.ts';
import { createWaiter, type WaitCommandOptions, withWait } from './waiter.ts';

interface TaskResponse {
  uuid: string;
  name: string;
  state: 'QUEUED' | 'RUNNING' | 'RETRYING' | 'SUCCEEDED' | 'FAILED' | 'SUPERSEDED';
  error: { message: string } | null;
  coalesced?: boolean;
}

const taskStates = ['queued', 'running', 'retrying', 'succeeded', 'failed', 'superseded'];
const liveStates = new Set<TaskResponse['state']>(['QUEUED', 'RUNNING', 'RETRYING']);

interface ScheduleResponse {
  schedules: object[];
  audits: object[];
  loops: object[];
  warnings: { source: string; name: string; reason: string }[];
}

const messageText = (value: unknown) =>
  typeof value === 'object' && value !== null && 'message' in value ? String(value.message ?? '') : '';
const progressText = (value: unknown) =>
  typeof value === 'object' && value !== null && 'percent' in value ? `${value.percent}% ${messageText(value)}` : '';

const listColumns = [
  column('uuid'),
  column('name'),
  column('state'),
  column('attempts', { leaveOut: 2 }),
  column('created_at', { leaveOut: 1 }),
  column('created_by', { leaveOut: 3 }),
  column('error', { format: messageText, isText: true }),
];
const detailColumns = [
  column('uuid'),
  column('name'),
  column('args', objectText),
  column('queue'),
  column('single_flight'),
  column('state'),
  column('attempts'),
  column('max_attempts'),
  column('progress', progressText),
  column('result', objectText),
  column('error', messageText),
  column('created_by'),
  column('schedule'),
  column('host'),
  column('created_at'),
  column('run_after'),
  column('started_at'),
  column('ended_at'),
];
const scheduleColumns = [
  column('name'),
  column('cron'),
  column('timezone', { leaveOut: 2 }),
  column('enabled'),
  column('source', { leaveOut: 1 }),
  column('last_fire_at'),
  column('next_fire_at'),
];
const auditColumns = [
  column('uuid'),
  column('name'),
  column('interval'),
  column('last_run_at'),
  column('next_run_time'),
  column('failed_runs'),
  column('status_message'),
];
const loopColumns = [
  column('name'),
  column('service'),
  column('host'),
  column('every_seconds'),
  column('last_run_at'),
  column('last_error'),
];
const kindColumns = [column('name'), column('queue'), column('single_flight'), column('description')];

/** `tasks list|show|run|retry|redrive|schedules|catalogue`: background work. */
export function registerTaskCommands(program: Command, context: CliContext): void {
  const tasks = program.command('tasks').description('Background tasks and their schedules');
  registerReads(tasks, context);
  registerWrites(tasks, context);
  registerRedrive(tasks, context);
}

function registerReads(tasks: Command, context: CliContext): void {
  withRows(tasks.command('list').description('List tasks, newest first'), listColumns, detailColumns)
    .addOption(suggesting('--state <state>', 'filter by state; failed tasks are dead letters', taskStates))
    .option('--name <name>', 'filter by name')
    .option('--queue <queue>', 'generic, masters or host.<host>')
    .option('--limit <number>', 'maximum number of entries, default 100')
    .option('--marker <uuid>', 'start after this task')
    .action(async (options: TaskListOptions, command: Command) => {
      const { state, name, queue, limit, marker } = options;
      const path = pathWith('/tasks', { state, name, queue, limit, marker });
      const response = await clientOf(context, command).internal<{ tasks: object[] }>('GET', path);
      printRows(context, options, response.tasks, listColumns, detailColumns);
    });

  withFields(
    tasks.command('show').description('Show a task with its progress, result or error').argument('<task>', 'uuid'),
    detailColumns,
  ).action(async (task: string, options: OutputOptions, command: Command) => {
    printRow(context, options, await clientOf(context, command).internal<object>('GET', pathOf(task)), detailColumns);
  });

  withRows(
    tasks.command('schedules').description('List schedules, and errors in their configuration'),
    scheduleColumns,
    auditColumns,
    loopColumns,
  ).action(async (options: OutputOptions, command: Command) => {
    const response = await clientOf(context, command).internal<ScheduleResponse>('GET', '/tasks/schedules');
    printTables(context, options, response, [
      { rows: response.schedules, columns: scheduleColumns },
      { title: 'Continuous audits', rows: response.audits, columns: auditColumns },
      { title: 'Loops of processes', rows: response.loops, columns: loopColumns },
    ]);
    for (const { name, reason } of response.warnings) {
      context.err(`warning: ${name === '' ? '' : `${name}: `}${reason}\n`);
    }
  });

  withRows(tasks.command('catalogue').description('List the tasks that can be run'), kindColumns).action(
    async (options: OutputOptions, command: Command) => {
      const response = await clientOf(context, command).internal<{ kinds: object[] }>('GET', '/tasks/catalogue');
      printRows(context, options, response.kinds, kindColumns);
    },
  );
}

function registerWrites(tasks: Command, context: CliContext): void {
  withWait(
    withFields(
      tasks.command('run').description('Run a task').argument('<name>', 'name in the catalogue'),
      detailColumns,
    ),
    'wait until it ends; exit code 1 on failure',
  )
    .option('--arg <name=value>', 'argument as JSON or text; repeatable', collect)
    .option('--host <host>', 'where to run, for tasks of a host')
    .action(async (name: string, options: RunOptions, command: Command) => {
      const args = parseParameters(options.arg);
      const body = { name, ...(args ? { args } : {}), ...(options.host ? { host: options.host } : {}) };
      await runTask(context, command, options, (client) => client.internal('POST', '/tasks', body));
    });

  withWait(
    withFields(tasks.command('retry').description('Retry a failed task').argument('<task>', 'uuid'), detailColumns),
    'wait until it ends; exit code 1 on failure',
  ).action(async (uuid: string, options: RunOptions, command: Command) => {
    await runTask(context, command, options, (client) => client.internal('POST', `${pathOf(uuid)}/retry`));
  });
}

/** `tasks redrive`: all dead ones, or those of a name or queue. */
function registerRedrive(tasks: Command, context: CliContext): void {
  withWait(
    withFields(tasks.command('redrive').description('Retry all failed tasks'), detailColumns),
    'wait until they are queued; exit code 1 on failure',
  )
    .option('--all', 'all tasks that match --name and --queue')
    .option('--name <name>', 'filter by name')
    .option('--queue <queue>', 'filter by queue')
    .action(async (options: RunOptions & { all?: boolean; name?: string; queue?: string }, command: Command) => {
      const { all, name, queue } = options;
      if (!all && !name && !queue) throw new UsageError('specify --all, --name or --queue');
      const args = { ...(name ? { name } : {}), ...(queue ? { queue } : {}) };
      const body = { name: 'redrive-tasks', args };
      await runTask(context, command, options, (client) => client.internal('POST', '/tasks', body));
    });
}

interface TaskListOptions extends OutputOptions {
  state?: string;
  name?: string;
  queue?: string;
  limit?: string;
  marker?: string;
}

interface RunOptions extends WaitCommandOptions {
  arg?: string[];
  host?: string;
}

/** @param request requests the task. Repeating it while the task waits creates no second one. */
async function runTask(
  context: CliContext,
  command: Command,
  options: RunOptions,
  request: (client: VigilClient) => Promise<TaskResponse>,
): Promise<void> {
  const { wait } = options;
  const client = clientOf(context, command);
  const waiter = createWaiter(context, options);
  const accepted = await waiter.send(() => request(client));
  if (accepted.coalesced) note(context, 'an existing task does the same work\n');
  const read = () => client.internal<TaskResponse>('GET', pathOf(accepted.uuid));
  const task = wait
    ? await waiter.wait(
        (settings) => waitUntil(read, ({ state }) => !liveStates.has(state), settings, 'task'),
        `the task continues: vigil tasks show ${accepted.uuid}`,
      )
    : accepted;
  printRow(context, options, task, detailColumns);
  if (wait && task.state !== 'SUCCEEDED') throw new OutcomeError(`${task.name}: ${task.error?.message ?? 'failed'}`);
}

function pathOf(task: string): string {
  return `/tasks/${encodeURIComponent(task)}`;
}

import type { Command } from 'commander';
import { type ClusterPast, dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { isTable, printTables } from '../output/print.ts';
import { clientOf } from './shared-options.ts';

const percentText = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : String(value));

/** @param second title of the second moment */
const columnsOf = (second: 'now' | 'later') => [
  column('hostname', { title: 'Host' }),
  column('cpu_then', { title: 'CPU % then', format: percentText }),
  column('cpu_now', { title: `CPU % ${second}`, format: percentText }),
  column('memory_then', { title: 'Memory % then', format: percentText }),
  column('memory_now', { title: `Memory % ${second}`, format: percentText }),
  column('instances_then', { title: 'Instances then' }),
  column('instances_now', { title: `Instances ${second}` }),
  column('arrived'),
  column('left'),
];

/** Scripts name the columns of the second moment by both titles. */
const comparedColumns = { columns: columnsOf('later'), more: columnsOf('now') };

const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** `cluster at`: hosts at a time in the last weeks, and at a later one or now. */
export function registerClusterCommands(program: Command, context: CliContext): void {
  const parent = program.command('cluster').description('Show the hosts of the cloud at a time in the past');
  withRows(
    parent.command('at').description('Show instances and loads of all hosts at a past time and now'),
    ...(['now', 'later'] as const).map(columnsOf),
  )
    .argument('<time>', 'ISO 8601 with offset, or such as "6 hours ago"; at most 28 days ago')
    .option('--to <time>', 'compare with this later time instead of now; the same formats')
    .action(async (time: string, options: OutputOptions & { to?: string }, command: Command) => {
      const query = { at: momentOf(time), ...(options.to === undefined ? {} : { to: momentOf(options.to) }) };
      const past = await dataOf(clientOf(context, command).api.GET('/v1/cluster/past', { params: { query } }));
      const isCompared = query.to !== undefined;
      printTables(context, options, past, [
        { rows: past.hosts.map(rowOf), ...(isCompared ? comparedColumns : { columns: columnsOf('now') }) },
      ]);
      if (isTable(options) && !options.column) context.out(notesOf(past, isCompared));
    });
}

const measured = (load: number | null) => load ?? 'not measured';

/** `6 hours ago` as ISO 8601. Any other text is returned unchanged, for the API to validate. */
function momentOf(text: string): string {
  const [, count = '', unit = ''] = /^(\d{1,4}) (minute|hour|day|week)s? ago$/i.exec(text.trim()) ?? [];
  const length = units[unit.toLowerCase()];
  return length === undefined ? text : new Date(Date.now() - Number(count) * length).toISOString();
}

function rowOf({ hostname, capacity, before, now, arrived, left }: ClusterPast['hosts'][number]): object {
  const share = (memory: number) => (capacity.memory > 0 ? (100 * memory) / capacity.memory : null);
  return {
    ...{ hostname, arrived, left, cpu_then: measured(before.cpu_load), cpu_now: measured(now.cpu_load) },
    ...{ memory_then: share(before.memory), memory_now: share(now.memory) },
    ...{ instances_then: before.instances, instances_now: now.instances },
  };
}

/** The sums, and each unknown part of the past. */
function notesOf({ at, to, instances, moves, load, gaps }: ClusterPast, isCompared: boolean): string {
  const unknown: [number, string][] = [
    [instances.created_since, 'created since then, not shown'],
    [instances.deleted_since, 'migrated and deleted since then; other deleted instances are not recorded'],
    [instances.resized_since, 'resized since then, shown in their current size'],
    [instances.host_gone, 'on hosts that no longer exist, not shown'],
    [instances.without_host, 'on no host now, with an unknown former host'],
  ];
  return [
    `${at}: of ${instances.before} instances, ${instances.moved} were on another host. ` +
      `Migrations since then: ${moves}.`,
    ...(isCompared ? [`Compared with ${to}: the columns "later" have the values of that time.`] : []),
    ...unknown.flatMap(([number, text]) => (number === 0 ? [] : [`Note: instances ${text}: ${number}.`])),
    ...(load.error === null ? [] : [`Note: load data of that time is missing: ${load.error}.`]),
    ...gaps.map((gap) => `Note: ${gap}.`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

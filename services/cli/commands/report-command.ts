import type { Command } from 'commander';
import { dataOf, type PeriodReport } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { isTable, printTables } from '../output/print.ts';
import { keptText } from './promises-command.ts';
import { clientOf } from './shared-options.ts';

const stateColumns = [
  column('state'),
  column('plans'),
  column('paused'),
  column('removed', { title: 'Removed by retention' }),
];
const promiseColumns = [
  column('strategy_name', { title: 'Strategy' }),
  column('quantity', { title: 'Promise' }),
  column('kept', { title: 'Within range' }),
  column('not_measured'),
  column('not_attributable'),
];
const refusalColumns = [column('text', { title: 'Refused because', isText: true }), column('actions')];
const unstartedColumns = [
  column('state', { title: 'Not started' }),
  column('reason'),
  column('plans'),
  column('newest', { title: 'Newest plan' }),
];
const percent = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : '');
const hostColumns = [
  column('hostname', { title: 'Fullest hosts' }),
  column('cpu_mean', { title: 'CPU %', format: percent }),
  column('cpu_highest', { title: 'Max CPU %', format: percent }),
  column('memory_mean', { title: 'Memory %', format: percent }),
  column('memory_highest', { title: 'Max memory %', format: percent }),
];

/** `report`: results of a period. */
export function registerReportCommand(program: Command, context: CliContext): void {
  const columns = [stateColumns, promiseColumns, refusalColumns, unstartedColumns, hostColumns];
  withRows(program.command('report').description('Show the results of a month or another period'), ...columns)
    .option('--from <time>', 'start: a day in UTC, or ISO 8601 with offset; default 30 days before the end')
    .option('--to <time>', 'end, not included; default now')
    .action(async (options: OutputOptions & { from?: string; to?: string }, command: Command) => {
      const query = { from: options.from, to: options.to };
      const report = await dataOf(clientOf(context, command).api.GET('/v1/report', { params: { query } }));
      const isWhole = isTable(options) && !options.column;
      if (isWhole) context.out(sumsOf(report));
      printTables(context, options, report, [
        { rows: report.plans.by_state, columns: stateColumns },
        { rows: report.promises.map((row) => ({ ...row, kept: keptText(row) })), columns: promiseColumns },
        { rows: report.refusals, columns: refusalColumns },
        { rows: report.unstarted.map(unstartedRow), columns: unstartedColumns },
        { rows: report.fullest.hosts, columns: hostColumns },
      ]);
      if (isWhole && report.fullest.error !== null)
        context.out(`Note: load data is missing: ${report.fullest.error}.\n`);
    });
}

function unstartedRow({ approval, reason, ...row }: PeriodReport['unstarted'][number]): object {
  const waits = row.state === 'RECOMMENDED' && approval === 'wanted' ? 'awaiting approval' : null;
  return { ...row, reason: [waits, reason].filter((part) => part !== null).join(': ') };
}

function sumsOf({ from, to, plans, moves, energy }: PeriodReport): string {
  const lines = [
    `${from} to ${to}`,
    `Plans created: ${plans.made}. Partially executed: ${plans.partial}. Without actions: ${plans.without_actions}.`,
    `Migrations: ${moves.succeeded}, failed: ${moves.failed}. Hosts freed: ${moves.hosts_freed}.`,
    energyText(energy),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function energyText({ kwh, hours, measured_hours: measured, hosts, error }: PeriodReport['energy']): string {
  if (kwh === null) return `Energy: not measured${error === null ? '' : `: ${error}`}.`;
  return `Energy: ${kwh} kWh of ${hosts} hosts, measured in ${measured} of ${hours} hours.`;
}

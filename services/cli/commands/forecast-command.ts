import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { isTable, printTables } from '../output/print.ts';
import { clientOf, pathWith, positive } from './shared-options.ts';

interface ForecastOptions extends OutputOptions {
  instanceId?: string;
  load: 'cpu' | 'memory';
  hours: number;
}

interface Forecast {
  name: string;
  load: string;
  verdict: string;
  trend: { text: string };
  hours: { from: string; text: string }[];
}

const hourText = (value: unknown) => `${String(value).slice(0, 10)} ${String(value).slice(11, 16)}`;
const percentText = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : '');
const samplesText = (value: unknown) => (value === 0 ? 'last value' : String(value));

const columns = [
  column('from', { title: 'Hour (UTC)', format: hourText, atLeast: 16 }),
  column('low', { title: 'Low %', format: percentText }),
  column('expected', { title: 'Expected %', format: percentText }),
  column('high', { title: 'High %', format: percentText }),
  column('samples', { format: samplesText }),
];
const more = [column('text', { isText: true })];

/** `forecast`: the expected load of a host or an instance, hour by hour. */
export function registerForecastCommand(program: Command, context: CliContext): void {
  withRows(
    program.command('forecast').description('Show the expected load of a host or an instance, hour by hour'),
    columns,
    more,
  )
    .argument('[host]', 'host of the compute service')
    .option('--instance-id <uuid>', 'an instance instead of a host')
    .addOption(new Option('--load <load>', 'load to forecast').choices(['cpu', 'memory']).default('cpu'))
    .option('--hours <number>', 'hours from the running one on, at most 168', positive, 24)
    .action(async (host: string | undefined, options: ForecastOptions, command: Command) => {
      const path = pathWith(pathOf(host, options), { load: options.load, hours: String(options.hours) });
      const forecast = await clientOf(context, command).internal<Forecast>('GET', path);
      printTables(context, options, forecast, [{ rows: forecast.hours, columns, more }]);
      if (isTable(options) && !options.column) context.out(summaryOf(forecast));
    });
}

function pathOf(host: string | undefined, { instanceId }: ForecastOptions): string {
  if (host !== undefined && instanceId === undefined) return `/forecasts/hosts/${encodeURIComponent(host)}`;
  if (instanceId !== undefined && host === undefined) return `/forecasts/instances/${encodeURIComponent(instanceId)}`;
  throw new UsageError('forecast needs either a host or --instance-id');
}

/** Lines below the table: whether the forecast is used, and the trend. */
function summaryOf({ name, load, verdict, trend, hours }: Forecast): string {
  const unmeasured = hours.length === 0 ? ['No load was measured in the last hours.'] : [];
  return [...unmeasured, `${name}, ${load}: ${verdict}`, trend.text].map((line) => `${line}\n`).join('');
}

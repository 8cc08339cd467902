import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { isTable, printTables } from '../output/print.ts';
import { clientOf, pathWith, positive } from './shared-options.ts';

interface ForecastOptions extends OutputOptions {
  instanceId?: string;
  aggregate?: string;
  flavor?: string;
  load?: 'cpu' | 'memory';
  hours?: number;
  fullAt?: number;
}

interface Text {
  text: string;
}

interface LoadForecast {
  name: string;
  load: string;
  verdict: string;
  trend: Text;
  full: Text;
  hours: object[];
}

interface CapacityForecast {
  kind: string;
  name: string;
  hosts: number;
  places: number | null;
  is_exact: boolean;
  parts: object[];
  full: Text;
  resources: object[];
}

const hourText = (value: unknown) => `${String(value).slice(0, 10)} ${String(value).slice(11, 16)}`;
const percentText = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : '');
const samplesText = (value: unknown) => (value === 0 ? 'last value' : String(value));
const textOf = (value: unknown) => (value as Text).text;

const hourColumns = [
  column('from', { title: 'Hour (UTC)', format: hourText, atLeast: 16 }),
  column('low', { title: 'Low %', format: percentText }),
  column('expected', { title: 'Expected %', format: percentText }),
  column('high', { title: 'High %', format: percentText }),
  column('samples', { format: samplesText }),
];
const moreOfHours = [column('text', { isText: true })];
const partColumns = [column('kind', { title: 'Part' }), column('name'), column('hosts'), column('places')];
const resourceColumns = [
  column('resource'),
  column('percent', { title: 'Used %', format: percentText }),
  column('full', { format: textOf, isText: true }),
  column('trend', { format: textOf, isText: true }),
  column('basis', { leaveOut: 1 }),
];

/** `forecast`: the expected load of a host or an instance, and the days until one, an aggregate or a flavor is full. */
export function registerForecastCommand(program: Command, context: CliContext): void {
  withRows(
    program.command('forecast').description('Show the expected load of a host, and the days until it is full'),
    hourColumns,
    moreOfHours,
    resourceColumns,
    partColumns,
  )
    .argument('[host]', 'host of the compute service')
    .option('--instance-id <uuid>', 'an instance instead of a host')
    .option('--aggregate <name>', 'an aggregate instead: days until it is full')
    .option('--flavor <name>', 'a flavor instead: days until its capacity is exhausted')
    .addOption(new Option('--load <load>', 'load to forecast, default cpu').choices(['cpu', 'memory']))
    .option('--hours <number>', 'number of hours from the current one, at most 168, default 24', positive)
    .option('--full-at <percent>', 'load at which it is full, default 80', positive)
    .action(async (host: string | undefined, options: ForecastOptions, command: Command) => {
      const { place, isLoad } = placeOf(host, options);
      const { load, hours, fullAt } = options;
      const path = pathWith(`/forecasts/${place}`, { load, hours: hours?.toString(), full_at: fullAt?.toString() });
      const client = clientOf(context, command);
      if (isLoad) printLoad(context, options, await client.internal<LoadForecast>('GET', path));
      else printCapacity(context, options, await client.internal<CapacityForecast>('GET', path));
    });
}

/** Path of the subject below `/internal/forecasts`. @throws UsageError unless there is one subject */
function placeOf(host: string | undefined, options: ForecastOptions): { place: string; isLoad: boolean } {
  const { instanceId, aggregate, flavor, load, hours } = options;
  const subjects = Object.entries({ hosts: host, instances: instanceId, aggregates: aggregate, flavors: flavor });
  const [subject, ...others] = subjects.filter(([, name]) => name !== undefined);
  if (subject === undefined || others.length > 0)
    throw new UsageError('forecast needs one of: a host, --instance-id, --aggregate, --flavor');
  const [kind, name = ''] = subject;
  const isLoad = kind === 'hosts' || kind === 'instances';
  if (!isLoad && (load !== undefined || hours !== undefined))
    throw new UsageError('--load and --hours are for hosts and instances');
  return { place: `${kind}/${encodeURIComponent(name)}`, isLoad };
}

function printLoad(context: CliContext, options: ForecastOptions, forecast: LoadForecast): void {
  const { name, load, verdict, trend, full, hours } = forecast;
  printTables(context, options, forecast, [{ rows: hours, columns: hourColumns, more: moreOfHours }]);
  if (!isTable(options) || options.column) return;
  if (hours.length === 0) context.out('No load measurements in the last hours.\n');
  context.out(`${name}, ${load}: ${verdict}\n${trend.text}\n${full.text}\n`);
}

function printCapacity(context: CliContext, options: ForecastOptions, forecast: CapacityForecast): void {
  const { kind, name, hosts, places, full, resources, parts = [], is_exact: isExact = true } = forecast;
  printTables(context, options, forecast, [
    { rows: resources, columns: resourceColumns },
    { rows: parts, columns: partColumns },
  ]);
  if (!isTable(options) || options.column) return;
  const room = places === null ? '' : `, ${isExact ? '' : 'at most '}${places} places`;
  context.out(`${kind} ${name}, ${hosts} hosts${room}: ${full.text}\n`);
}

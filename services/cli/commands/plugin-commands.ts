import type { Command } from 'commander';
import { dataOf, type paths } from '#libs/client';
import { printable } from '#libs/domain';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { wrapText } from '../output/fit-columns.ts';
import { type OutputOptions, withJson, withRows } from '../output/output-options.ts';
import { isTable, printJson, printTables } from '../output/print.ts';
import { tableWidth } from '../output/terminal-width.ts';
import { scaffoldPlugin } from '../scaffold-plugin.ts';
import { registerPluginAssessCommand } from './plugin-assess-command.ts';
import { clientOf } from './shared-options.ts';

const pluginColumns = [column('kind'), column('name'), column('display_name'), column('serves'), column('origin')];
const faultColumns = [column('service'), column('host'), column('plugin'), column('reason'), column('at')];

type PluginOverview = paths['/v1/plugins']['get']['responses'][200]['content']['application/json'];

/** `plugins` and `plugin list` (loaded and broken ones), `plugin new` and `plugin assess`. */
export function registerPluginCommands(program: Command, context: CliContext): void {
  const plugin = program.command('plugin').description('Plugins');
  for (const command of [program.command('plugins'), plugin.command('list')]) {
    withRows(command.description('List plugins, loaded and failed'), pluginColumns, faultColumns).action(
      async (options: OutputOptions, called: Command) => {
        const overview = await dataOf(clientOf(context, called).api.GET('/v1/plugins'));
        printOverview(context, options, overview);
      },
    );
  }
  withJson(
    plugin
      .command('new')
      .description('Create a folder with a strategy plugin and its tests')
      .argument('<folder>', 'folder to create; its last part is the name of the strategy'),
  ).action((path: string, options: OutputOptions) => {
    const { folder, files } = scaffoldPlugin(path);
    if (options.json) {
      printJson(context, { folder, files });
      return;
    }
    context.out(
      `${folder}: ${files.join(', ')}\nTest it: npm test --prefix ${path}\nLoad it: VIGIL_PLUGINS=${folder}\n`,
    );
  });
  registerPluginAssessCommand(plugin, context);
}

/** On a terminal a fault is a paragraph, since paths and reasons are long. Elsewhere it is a row of a table. */
function printOverview(context: CliContext, options: OutputOptions, overview: PluginOverview): void {
  const loaded = { rows: overview.plugins, columns: pluginColumns };
  const width = tableWidth(context, options);
  if (!isTable(options) || options.column || width === undefined) {
    const broken = { title: 'Failed to load:', rows: overview.faults, columns: faultColumns };
    printTables(context, options, overview, [loaded, broken]);
    return;
  }
  printTables(context, options, overview, [loaded]);
  if (overview.faults.length > 0) context.out('Failed to load:\n');
  for (const { plugin, reason, places } of groupFaults(overview.faults)) {
    context.out(`${wrapText(printable(`${plugin} (${places.join(', ')})`), width)}\n`);
    context.out(`  ${wrapText(printable(reason), width - 2).replaceAll('\n', '\n  ')}\n`);
  }
}

/** One entry for each plugin and reason, with the processes that report it. */
function groupFaults(faults: PluginOverview['faults']): { plugin: string; reason: string; places: string[] }[] {
  const groups = new Map<string, { plugin: string; reason: string; places: string[] }>();
  for (const { plugin, reason, service, host } of faults) {
    const key = `${plugin}\n${reason}`;
    const group = groups.get(key) ?? { plugin, reason, places: [] };
    group.places.push(`${service} on ${host}`);
    groups.set(key, group);
  }
  return [...groups.values()];
}

import type { Command } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withJson, withRows } from '../output/output-options.ts';
import { printJson, printTables } from '../output/print.ts';
import { scaffoldPlugin } from '../scaffold-plugin.ts';
import { clientOf } from './shared-options.ts';

const pluginColumns = [column('kind'), column('name'), column('display_name'), column('serves'), column('origin')];
const faultColumns = [column('service'), column('host'), column('plugin'), column('reason'), column('at')];

/** `plugins` (loaded and broken ones) and `plugin new`. */
export function registerPluginCommands(program: Command, context: CliContext): void {
  withRows(
    program.command('plugins').description('List loaded and broken plugins'),
    pluginColumns,
    faultColumns,
  ).action(async (options: OutputOptions, command: Command) => {
    const overview = await dataOf(clientOf(context, command).api.GET('/v1/plugins'));
    printTables(context, options, overview, [
      { rows: overview.plugins, columns: pluginColumns },
      { title: 'Could not be loaded:', rows: overview.faults, columns: faultColumns },
    ]);
  });
  const plugin = program.command('plugin').description('Your own plugins');
  withJson(
    plugin
      .command('new')
      .description('Create a folder with a strategy plugin and its tests')
      .argument('<folder>', 'folder to make; its last part is the name of the strategy'),
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
}

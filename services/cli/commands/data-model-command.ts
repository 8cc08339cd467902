import { type Command, Option } from 'commander';
import { dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withRows } from '../output/output-options.ts';
import { printRows } from '../output/print.ts';
import { clientOf, uuidOf } from './shared-options.ts';

const listColumns = [
  column('server_uuid', { title: 'Server UUID' }),
  column('server_name', { title: 'Server Name' }),
  column('server_state', { title: 'Server State' }),
  column('node_uuid', { title: 'Node UUID', leaveOut: 1 }),
  column('node_hostname', { title: 'Node Host Name' }),
];
const detailColumns = [
  ...listColumns.slice(0, 2),
  column('server_vcpus', { title: 'Server Vcpus' }),
  column('server_memory', { title: 'Server Memory' }),
  column('server_disk', { title: 'Server Disk' }),
  ...listColumns.slice(2),
  column('node_vcpus', { title: 'Node Vcpus' }),
  column('node_vcpu_ratio', { title: 'Node Vcpu Ratio' }),
  column('node_memory', { title: 'Node Memory' }),
  column('node_memory_ratio', { title: 'Node Memory Ratio' }),
  column('node_disk', { title: 'Node Disk' }),
  column('node_disk_ratio', { title: 'Node Disk Ratio' }),
  column('node_state', { title: 'Node State' }),
];

interface DataModelOptions extends OutputOptions {
  type: 'compute';
  audit?: string;
  detail?: boolean;
}

/** `datamodel list`: hosts and instances as the decision engine sees them. */
export function registerDataModelCommand(program: Command, context: CliContext): void {
  const parent = program.command('datamodel').description('The model of the cloud');
  withRows(
    parent.command('list').description('List instances with their hosts, and hosts without instances'),
    listColumns,
    detailColumns,
  )
    .addOption(new Option('--type <type>', 'model to show').choices(['compute']).default('compute'))
    .option('--audit <audit>', 'limit to the scope of this audit (uuid or name)')
    .option('--detail', 'show more columns')
    .action(async (options: DataModelOptions, command: Command) => {
      const client = clientOf(context, command);
      const audit = options.audit === undefined ? undefined : await uuidOf(client, 'audits', options.audit);
      const query = { data_model_type: options.type, audit_uuid: audit };
      const { context: rows } = await dataOf(client.api.GET('/v1/data_model', { params: { query } }));
      const [columns, others] = options.detail ? [detailColumns, listColumns] : [listColumns, detailColumns];
      printRows(context, options, rows, columns, others);
    });
}

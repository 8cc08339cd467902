import { EntitySchema } from 'typeorm';
import type { PluginFault } from '../work-contract.ts';
import { text, timeOfInsert } from './columns.ts';

const key = { primary: true, primaryKeyConstraintName: 'pk_plugin_faults' };

/** Table `plugin_faults`. */
export const pluginFaultSchema = new EntitySchema<PluginFault>({
  name: 'PluginFault',
  tableName: 'plugin_faults',
  columns: {
    serviceName: text('service_name', key),
    host: text('host', key),
    plugin: text('plugin', key),
    reason: text('reason'),
    at: timeOfInsert('at'),
  },
});

import { EntitySchema } from 'typeorm';
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

/** A plugin that a process was told to load and could not. */
export interface PluginFault {
  /** As in `services`. */
  serviceName: string;
  host: string;
  /** Entry of `VIGIL_PLUGINS`. */
  plugin: string;
  reason: string;
  at: Date;
}

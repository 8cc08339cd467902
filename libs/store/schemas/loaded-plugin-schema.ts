import { EntitySchema } from 'typeorm';
import { text, timeOfInsert } from './columns.ts';

const key = { primary: true, primaryKeyConstraintName: 'pk_loaded_plugins' };

/** Table `loaded_plugins`. */
export const loadedPluginSchema = new EntitySchema<LoadedPlugin>({
  name: 'LoadedPlugin',
  tableName: 'loaded_plugins',
  columns: {
    serviceName: text('service_name', key),
    host: text('host', key),
    kind: text('kind', key),
    name: text('name', key),
    origin: text('origin'),
    description: text('description', { default: '' }),
  },
});

/** A plugin that a process has loaded. */
export interface LoadedPlugin {
  /** As in `services`. */
  serviceName: string;
  host: string;
  /** Such as `strategy` or `planner`. */
  kind: string;
  /** Unique within its kind. */
  name: string;
  /** The origin: an npm package, a folder, or `vigil` for built-in plugins. */
  origin: string;
  /** The plugin's own description, for operators. May be empty. */
  description: string;
}

const faultKey = { primary: true, primaryKeyConstraintName: 'pk_plugin_faults' };

/** Table `plugin_faults`. */
export const pluginFaultSchema = new EntitySchema<PluginFault>({
  name: 'PluginFault',
  tableName: 'plugin_faults',
  columns: {
    serviceName: text('service_name', faultKey),
    host: text('host', faultKey),
    plugin: text('plugin', faultKey),
    reason: text('reason'),
    at: timeOfInsert('at'),
  },
});

/** A plugin that a process failed to load. */
export interface PluginFault {
  /** As in `services`. */
  serviceName: string;
  host: string;
  /** Entry of `VIGIL_PLUGINS`. */
  plugin: string;
  reason: string;
  at: Date;
}

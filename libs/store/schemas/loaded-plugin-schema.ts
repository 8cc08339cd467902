import { EntitySchema } from 'typeorm';
import { text } from './columns.ts';

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
  /** What brought it: an npm package, a folder, or `vigil` for what is built in. */
  origin: string;
  /** What it says of itself, for operators; empty when it says nothing. */
  description: string;
}

import { EntitySchema } from 'typeorm';
import type { LoadedPlugin } from '../loaded-plugins-contract.ts';
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

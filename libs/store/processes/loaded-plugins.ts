import { type LoadedPlugin, loadedPluginSchema } from '../schemas/loaded-plugin-schema.ts';
import type { Session } from '../session/session.ts';

/** Reports of processes on their plugins. A process replaces its own report when it starts. */
export interface LoadedPlugins {
  report(
    serviceName: string,
    host: string,
    plugins: readonly (Pick<LoadedPlugin, 'kind' | 'name' | 'origin'> & { description?: string })[],
  ): Promise<void>;
  /** By kind, name, service and host. */
  list(): Promise<LoadedPlugin[]>;
}

/** Reports of loaded plugins. See `LoadedPlugins`. */
export function createLoadedPlugins(session: Session): LoadedPlugins {
  return {
    report: (serviceName, host, plugins) =>
      session.write(async (manager) => {
        await manager.delete(loadedPluginSchema, { serviceName, host });
        const rows = plugins.map((plugin) => ({ description: '', ...plugin, serviceName, host }));
        if (rows.length > 0) await manager.insert(loadedPluginSchema, rows);
      }),
    list: () =>
      session.read((manager) =>
        manager.find<LoadedPlugin>(loadedPluginSchema, {
          order: { kind: 'ASC', name: 'ASC', serviceName: 'ASC', host: 'ASC' },
        }),
      ),
  };
}

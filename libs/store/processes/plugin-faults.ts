import { type PluginFault, pluginFaultSchema } from '../schemas/loaded-plugin-schema.ts';
import type { Session } from '../session/session.ts';

/** Reports of broken plugins. See `PluginFaults`. */
export function createPluginFaults(session: Session): PluginFaults {
  return {
    report: (serviceName, host, faults) =>
      session.write(async (manager) => {
        await manager.delete(pluginFaultSchema, { serviceName, host });
        const rows = faults.map(({ plugin, reason }) => ({ serviceName, host, plugin, reason }));
        if (rows.length > 0) await manager.insert(pluginFaultSchema, rows);
      }),
    list: () =>
      session.read((manager) =>
        manager.find<PluginFault>(pluginFaultSchema, { order: { serviceName: 'ASC', host: 'ASC', plugin: 'ASC' } }),
      ),
  };
}

/** Reports of processes on broken plugins. A process replaces its own report when it starts. */
export interface PluginFaults {
  report(serviceName: string, host: string, faults: Pick<PluginFault, 'plugin' | 'reason'>[]): Promise<void>;
  /** By service, host and plugin. */
  list(): Promise<PluginFault[]>;
}

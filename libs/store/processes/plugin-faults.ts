import { pluginFaultSchema } from '../schemas/plugin-fault-schema.ts';
import type { Session } from '../session/session.ts';
import type { PluginFault, PluginFaults } from '../work-contract.ts';

/** Reports of broken plugins; see `PluginFaults`. */
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

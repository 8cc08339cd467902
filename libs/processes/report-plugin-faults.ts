import type { Logger } from '#libs/domain';
import type { Readiness } from '#libs/service-kit';
import type { Store } from '#libs/store';

interface FaultDeps {
  store: Store;
  logger: Logger;
  readiness: Readiness;
  /** Name of the process in the registry, and the host it runs on. */
  serviceName: string;
  hostId: string;
}

/**
 * Says in the log, in the readiness report and in the store which plugins are broken. The process works without them.
 */
export async function reportPluginFaults(
  { store, logger, readiness, serviceName, hostId }: FaultDeps,
  faults: { plugin: string; reason: string }[],
): Promise<void> {
  for (const { plugin, reason } of faults) logger.warn({ plugin, reason }, 'cannot load plugin');
  await store.db.pluginFaults.report(serviceName, hostId, faults);
  readiness.add(
    'plugins',
    async () => {
      if (faults.length > 0)
        throw new Error(faults.map(({ plugin, reason }) => `plugin ${plugin}: ${reason}`).join('; '));
    },
    { advisory: true },
  );
}

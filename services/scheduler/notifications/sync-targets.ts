import type { IdSource, Logger } from '#libs/domain';
import type { ConfiguredTarget } from '#libs/notification-targets';
import type { Store, TargetSecrets } from '#libs/store';

/**
 * Updates the stored targets of the configuration to `configured`. Their secrets stay in the configuration. A target
 * of the API with the same name is kept, and the configured one is not used.
 */
export async function syncTargets(
  { store, logger, newUuid }: { store: Store; logger: Logger; newUuid: IdSource },
  configured: readonly ConfiguredTarget[],
): Promise<void> {
  const taken = await store.transaction(async ({ notificationTargets, lock }) => {
    await lock('notification targets');
    const stored = await notificationTargets.list();
    const names = new Set(configured.map(({ name }) => name));
    for (const { id, name, source } of stored)
      if (source === 'configuration' && !names.has(name)) await notificationTargets.remove(id);
    const refused: string[] = [];
    for (const { name, shownUrl, format, kinds } of configured) {
      const fields = { name, shownUrl, format, kinds, enabled: true };
      const former = stored.find((target) => target.name === name);
      if (former === undefined)
        await notificationTargets.insert({ ...fields, uuid: newUuid(), source: 'configuration' }, null);
      else if (former.source === 'configuration') await notificationTargets.update(former.id, fields, {});
      else refused.push(name);
    }
    return refused;
  });
  for (const name of taken) logger.warn({ target: name }, 'target of the API has the name of a configured target');
}

/** How the enabled targets are called, by id. */
export async function callableTargets(
  { db }: Pick<Store, 'db'>,
  configured: readonly ConfiguredTarget[],
): Promise<Map<number, TargetSecrets & { format: ConfiguredTarget['format'] }>> {
  const [stored, secrets] = await Promise.all([db.notificationTargets.list(), db.notificationTargets.secrets()]);
  return new Map(
    stored.flatMap(({ id, name, source, format, enabled }) => {
      const own = source === 'api' ? secrets.get(id) : configured.find((target) => target.name === name);
      return own === undefined || !enabled ? [] : [[id, { ...own, format }] as const];
    }),
  );
}

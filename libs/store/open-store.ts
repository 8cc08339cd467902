import type { Logger } from '#libs/domain';
import type { Metrics, Readiness, Teardown } from '#libs/service-kit';
import { createStore, type StoreOptions } from './create-store.ts';
import { keepLineage, replacedVerdicts } from './lineage/keep-lineage.ts';
import type { Store } from './store.ts';

/** The parts of the process that the store uses. */
interface StoreContext {
  logger: Logger;
  metrics: Metrics;
  teardown: Teardown;
  readiness: Readiness;
}

/**
 * Opens the store as a part of a process: it is closed at the process's end, and the process is ready only while the
 * store can be written. `applicationName` is shown in `pg_stat_activity`.
 * @throws OperatorError as `createStore`
 */
export async function openStore(
  context: StoreContext,
  url: string,
  applicationName: string,
  options: Pick<StoreOptions, 'hasNoPrimary'> = {},
): Promise<Store> {
  const { logger, metrics, teardown, readiness } = context;
  const store = await teardown.start('store', () => createStore({ url, logger, metrics, applicationName, ...options }));
  readiness.add('store', store.probe);
  await teardown.start('lineage', () => keepLineage(store.lineage, logger, { onReplaced: countReplaced(metrics) }));
  return store;
}

/** Starts each series at 0, so that the first replacement is an increase. */
function countReplaced(metrics: Metrics): (verdict: (typeof replacedVerdicts)[number]) => void {
  const replaced = metrics.counter(
    'vigil_database_replaced_total',
    'Database servers that took over or were restored, as this process was the first to notice',
    ['verdict'],
  );
  for (const verdict of replacedVerdicts) replaced.inc({ verdict }, 0);
  return (verdict) => replaced.inc({ verdict });
}

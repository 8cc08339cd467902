import type { JsonValue } from '#libs/domain';
import { callRpc, isRefusal, type MessageBus, modelResyncTopic } from '#libs/messaging';
import type { Store } from '#libs/store';
import { TransientTaskError } from '#libs/tasks';

/**
 * Makes every live decision engine collect its models again. Returns the result of each.
 * @throws TransientTaskError when no engine runs or one could not collect the compute model. Errors of the bus.
 */
export async function resyncModels(store: Store, bus: Pick<MessageBus, 'request'>): Promise<JsonValue> {
  const engines = (await store.db.registry.listInstances({ liveOnly: true })).filter(
    ({ isAlive, state, serviceType }) => isAlive && state === 'STARTED' && serviceType === 'watcher-decision-engine',
  );
  if (engines.length === 0) throw new TransientTaskError('no decision engine is running');
  const results = await Promise.all(
    engines.map(async ({ instanceId, serviceName, host }) => {
      const response = await callRpc(bus, modelResyncTopic(instanceId), { schema: 'model.resync/1' });
      if (isRefusal(response)) throw new TransientTaskError(response.error.message);
      return { engine: `${serviceName}@${host}`, models: response.models };
    }),
  );
  const failed = results.find(({ models }) => models.some(({ name, error }) => name === 'compute' && error !== null));
  if (failed) throw new TransientTaskError(`${failed.engine}: ${failed.models[0]?.error}`);
  return { engines: results };
}

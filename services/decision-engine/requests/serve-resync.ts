import { messageOf } from '#libs/domain';
import { type Consumer, type MessageBus, type ModelResyncResponse, modelResyncTopic, serveRpc } from '#libs/messaging';
import type { ModelName } from '#libs/plugin-kit';
import type { ModelKeeper, Picture } from '../model/model-keeper.ts';

/** Models that are collected again, by name. */
export type ResyncedModels = Readonly<
  Record<ModelName, Pick<ModelKeeper<Picture>, 'fresh'> & { change(forget: () => null): void }>
>;

/** Returns `model.resync` for this engine. Drops every model and collects it again, sequentially. */
export function serveResync(
  bus: Pick<MessageBus, 'respond'>,
  instanceId: string,
  models: ResyncedModels,
): Promise<Consumer> {
  return serveRpc(bus, modelResyncTopic(instanceId), async (): Promise<ModelResyncResponse> => {
    const resynced: ModelResyncResponse['models'] = [];
    for (const name of ['compute', 'storage', 'baremetal'] as const) resynced.push(await resync(name, models[name]));
    return { schema: 'model.resynced/1', models: resynced };
  });
}

async function resync(
  name: ModelName,
  model: ResyncedModels[ModelName],
): Promise<ModelResyncResponse['models'][number]> {
  model.change(() => null);
  try {
    const { takenAtMs, gaps } = await model.fresh(0);
    return { name, taken_at: new Date(takenAtMs).toISOString(), gaps, error: null };
  } catch (error) {
    return { name, taken_at: null, gaps: [], error: messageOf(error) };
  }
}

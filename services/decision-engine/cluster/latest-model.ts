import type { ComputeSnapshot } from '#libs/cluster-model';
import { type Logger, messageOf } from '#libs/domain';
import type { ModelKeeper } from '../model/model-keeper.ts';

/**
 * The last model, at once; one that is older than `maxAgeMs` is collected anew meanwhile, so that the next question finds it
 * fresh. Only the first question of all waits. Rejects when there is none and the cloud cannot be read.
 */
export async function latestModel(model: ModelKeeper, maxAgeMs: number, logger: Logger): Promise<ComputeSnapshot> {
  const latest = model.latest();
  const collecting = model.fresh(maxAgeMs);
  if (latest === null) return collecting;
  collecting.catch((error: unknown) => {
    logger.warn({ error: messageOf(error) }, 'the model could not be collected; the one before is shown');
  });
  return latest;
}

import type { ComputeSnapshot } from '#libs/cluster-model';
import { type Clock, type Logger, messageOf } from '#libs/domain';
import type { ModelKeeper } from './model-keeper.ts';

/** Maximum age of a model. */
export interface ModelAge {
  maxAgeMs: number;
  /** Milliseconds since the last change of the cloud. Infinite without a change. */
  sinceMs: number;
  clock: Clock;
}

/** Source of a model: the current one, one whose collection was running, or one collected for this request. */
const mostTries = 2;

/**
 * Returns a model no older than `maxAgeMs` whose collection started after the event `sinceMs` ago. An audit right
 * after a plan must not use a model of the cloud before that plan.
 */
export async function freshSince<Picture extends { takenAtMs: number }>(
  model: { fresh(maxAgeMs: number): Promise<Picture> },
  { maxAgeMs, sinceMs, clock }: ModelAge,
): Promise<Picture> {
  const notBefore = clock.now() - sinceMs;
  let picture = await model.fresh(Math.min(maxAgeMs, sinceMs));
  // A model updated by notifications may be older, and so may the result of a running collection.
  for (let tries = 0; picture.takenAtMs < notBefore && tries < mostTries; tries++) picture = await model.fresh(0);
  return picture;
}

/**
 * Returns the last model immediately. Collects a model older than `maxAgeMs` again in the background for the next
 * request. Only the first request waits. Rejects when there is no model and the cloud cannot be read.
 */
export async function latestModel(model: ModelKeeper, maxAgeMs: number, logger: Logger): Promise<ComputeSnapshot> {
  const shown = model.shown();
  const collecting = model.fresh(maxAgeMs);
  if (shown === null) return collecting;
  collecting.catch((error: unknown) => {
    logger.warn({ error: messageOf(error) }, 'cannot collect model, showing the previous one');
  });
  return shown;
}

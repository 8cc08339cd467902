import type { ComputeSnapshot } from '#libs/cluster-model';
import { type Clock, type Logger, messageOf } from '#libs/domain';
import type { ModelKeeper } from './model-keeper.ts';

/** How young a picture has to be. */
export interface PictureAge {
  maxAgeMs: number;
  /** Milliseconds since the cloud was last changed. Infinite when it was not. */
  sinceMs: number;
  clock: Clock;
}

/** Source of a picture: the current one, one whose collection was running, or one collected for this request. */
const mostTries = 2;

/**
 * A picture no older than `maxAgeMs`, whose collection started after the event `sinceMs` ago: an audit right after a
 * plan must not use a model of the cloud from before it.
 */
export async function freshSince<Picture extends { takenAtMs: number }>(
  model: { fresh(maxAgeMs: number): Promise<Picture> },
  { maxAgeMs, sinceMs, clock }: PictureAge,
): Promise<Picture> {
  const notBefore = clock.now() - sinceMs;
  let picture = await model.fresh(Math.min(maxAgeMs, sinceMs));
  // A picture updated by notifications may be older, and so may the result of a running collection.
  for (let tries = 0; picture.takenAtMs < notBefore && tries < mostTries; tries++) picture = await model.fresh(0);
  return picture;
}

/**
 * The last model, at once. A model older than `maxAgeMs` is collected again in the background, so that the next request
 * finds it fresh. Only the very first request waits. Rejects when there is none and the cloud cannot be read.
 */
export async function latestModel(model: ModelKeeper, maxAgeMs: number, logger: Logger): Promise<ComputeSnapshot> {
  const latest = model.latest();
  const collecting = model.fresh(maxAgeMs);
  if (latest === null) return collecting;
  collecting.catch((error: unknown) => {
    logger.warn({ error: messageOf(error) }, 'cannot collect model, showing the previous one');
  });
  return latest;
}

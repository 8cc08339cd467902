import type { Clock } from '#libs/domain';

/** How young a picture has to be. */
export interface PictureAge {
  maxAgeMs: number;
  /** Milliseconds since the cloud was last changed; infinite when it was not. */
  sinceMs: number;
  clock: Clock;
}

/**
 * A picture no older than `maxAgeMs`, whose collection began after what happened `sinceMs` ago: an audit right after a
 * plan must not plan on what the cloud was before it.
 */
export async function freshSince<Picture extends { takenAtMs: number }>(
  model: { fresh(maxAgeMs: number): Promise<Picture> },
  { maxAgeMs, sinceMs, clock }: PictureAge,
): Promise<Picture> {
  const notBefore = clock.now() - sinceMs;
  const picture = await model.fresh(Math.min(maxAgeMs, sinceMs));
  // A collection that was under way, or a picture kept in step by notifications, may have begun before.
  return picture.takenAtMs >= notBefore ? picture : model.fresh(0);
}

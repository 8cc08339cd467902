import type { Clock } from '#libs/domain';

/**
 * A picture no older than `maxAgeMs`, whose collection began after what happened `sinceMs` ago: an audit right after a
 * plan must not plan on what the cloud was before it.
 * @param sinceMs milliseconds; infinite when nothing happened.
 */
export async function freshSince<Picture extends { takenAtMs: number }>(
  model: { fresh(maxAgeMs: number): Promise<Picture> },
  { maxAgeMs, sinceMs, clock }: { maxAgeMs: number; sinceMs: number; clock: Clock },
): Promise<Picture> {
  const notBefore = clock.now() - sinceMs;
  const picture = await model.fresh(Math.min(maxAgeMs, sinceMs));
  // A collection that was under way, or a picture kept in step by notifications, may have begun before.
  return picture.takenAtMs >= notBefore ? picture : model.fresh(0);
}

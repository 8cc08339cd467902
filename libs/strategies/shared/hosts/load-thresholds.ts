import { InvalidInputError } from '#libs/domain';

/** Loads of a host in percent of its physical size that decide about moves for load. */
export interface LoadThresholds {
  /** To which a plan fills a host at most. */
  target: number;
  /** To which a hot host is relieved. */
  relief: number;
  /** From which on a host is hot, when its load lasts. */
  hot: number;
  /** By which a load varies without a meaning. */
  noise: number;
}

/** Parts of the room above the target at which the others are. */
const parts = { noise: 0.1, relief: 0.25, hot: 0.5 };

/**
 * Thresholds above a target: 85 % (relief), 90 % (hot) and 2 % (noise) at the usual 80 %. A target of 100 % has no room
 * for them: a host is hot above its size, and relieved to it, as in Watcher.
 * @param target percent, above 0 up to 100
 */
export function thresholdsAbove(target: number): LoadThresholds {
  const room = 100 - target;
  const at = (part: number) => target + room * part;
  return checkedThresholds({ target, relief: at(parts.relief), hot: at(parts.hot), noise: room * parts.noise });
}

/**
 * Refuses thresholds without a dead band between filling and repair: target + noise < relief, and relief + noise < hot.
 * @throws InvalidInputError
 */
export function checkedThresholds(thresholds: LoadThresholds): LoadThresholds {
  const { target, relief, hot, noise } = thresholds;
  const isWatchers = target === 100 && relief === 100 && hot === 100;
  if (isWatchers || (target + noise < relief && relief + noise < hot && hot <= 100)) return thresholds;
  const given = `target ${target} %, relief ${relief} %, hot ${hot} %, noise ${noise} %`;
  throw new InvalidInputError('thresholds', `must have target + noise < relief and relief + noise < hot, not ${given}`);
}

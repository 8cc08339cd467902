import { InvalidInputError } from '#libs/domain';

/** Thresholds for moves by load, in percent of the physical size of a host. */
export interface LoadThresholds {
  /** Maximum load of a host after a plan. */
  target: number;
  /** Load to which a hot host is relieved. */
  relief: number;
  /** Load above which a host is hot, when the load lasts. */
  hot: number;
  /** Variation of a load that counts as noise. */
  noise: number;
}

/** Positions of the thresholds, as fractions of the range above the target. */
const parts = { noise: 0.1, relief: 0.25, hot: 0.5 };

/**
 * Thresholds above a target: 85 % (relief), 90 % (hot) and 2 % (noise) for the default 80 %. A target of 100 % leaves
 * no range: a host is hot above its size, and relieved to it, as in Watcher.
 * @param target percent, above 0 up to 100
 */
export function thresholdsAbove(target: number): LoadThresholds {
  const room = 100 - target;
  const at = (part: number) => target + room * part;
  return checkedThresholds({ target, relief: at(parts.relief), hot: at(parts.hot), noise: room * parts.noise });
}

/**
 * Refuses thresholds without a dead band between filling and relief: target + noise < relief, and relief + noise <
 * hot.
 * @throws InvalidInputError
 */
export function checkedThresholds(thresholds: LoadThresholds): LoadThresholds {
  const { target, relief, hot, noise } = thresholds;
  const isWatchers = target === 100 && relief === 100 && hot === 100;
  if (isWatchers || (target + noise < relief && relief + noise < hot && hot <= 100)) return thresholds;
  const given = `target ${target} %, relief ${relief} %, hot ${hot} %, noise ${noise} %`;
  throw new InvalidInputError('thresholds', `must have target + noise < relief and relief + noise < hot, not ${given}`);
}

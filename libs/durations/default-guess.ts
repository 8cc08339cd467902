import { type DurationKind, isSized } from './duration-kind.ts';

/** Median duration of the actions of a kind by their size. Plain data, so that it can be handed to a thread. */
export interface DurationLine {
  /** Median in seconds, at `size`. */
  seconds: number;
  /** Size at which `seconds` counts: MiB of memory, GiB of a volume. */
  size: number;
  /** Growth with the size: the duration is proportional to size ** slope. 0 for kinds without a size. */
  slope: number;
}

/** Median seconds of an action of this size. */
export function secondsAt(line: DurationLine, size: number): number {
  return size > 0 ? line.seconds * (size / line.size) ** line.slope : line.seconds;
}

const mediansInSeconds: Readonly<Record<DurationKind, number>> = {
  nop: 1,
  change_nova_service_state: 2,
  stop: 30,
};
const otherSeconds = 60;

/** Size of an action whose size is not known, and at which the medians above count. */
const usualSize: Readonly<Record<DurationKind, number>> = { volume: 50 };
const usualMemoryMib = 4096;

/** The assumption for a kind before any of its actions was measured. */
export function defaultGuess(kind: DurationKind): DurationLine {
  return {
    seconds: mediansInSeconds[kind] ?? otherSeconds,
    size: usualSize[kind] ?? usualMemoryMib,
    slope: isSized(kind) ? 0.6 : 0,
  };
}

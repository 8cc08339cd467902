import type { Clock } from '#libs/domain';

/** Simulated time, which runs `speed` times as fast as the wall clock. */
export interface SimulatedClock {
  /** Simulated seconds since the start of the first simulated day. */
  seconds(): number;
  /** Simulated second of a wall-clock time (milliseconds since 1970) at the current speed. May be negative. */
  secondsAt(wallMs: number): number;
  /** Acceleration: simulated seconds per wall-clock second. */
  speed(): number;
  /** Changes the acceleration from now on. 0 stops simulated time. */
  setSpeed(speed: number): void;
  /** Advances the time. */
  advanceBy(seconds: number): void;
}

/** @param startSeconds time of the simulated day at the start (default 9 o'clock) */
export function createSimulatedClock(clock: Clock, options: { speed: number; startSeconds?: number }): SimulatedClock {
  let baseWallMs = clock.now();
  let baseSeconds = options.startSeconds ?? 9 * 3600;
  let speed = options.speed;

  function secondsAt(wallMs: number): number {
    return baseSeconds + ((wallMs - baseWallMs) / 1000) * speed;
  }
  function rebase(): void {
    const now = clock.now();
    baseSeconds = secondsAt(now);
    baseWallMs = now;
  }
  return {
    seconds: () => secondsAt(clock.now()),
    secondsAt,
    speed: () => speed,
    setSpeed(next) {
      rebase();
      speed = next;
    },
    advanceBy(seconds) {
      rebase();
      baseSeconds += seconds;
    },
  };
}

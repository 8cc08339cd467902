import { setTimeout as sleep } from 'node:timers/promises';

/** How long nothing must have happened, and how long that may take at most. */
const quietMs = 3500;
const limitMs = 30_000;

/** Waits until `count` is above zero and has not risen for a while. @throws Error when that does not come about in time. */
export async function untilQuiet(count: () => number): Promise<void> {
  const giveUp = performance.now() + limitMs;
  for (let last = -1, since = performance.now(); ; await sleep(50)) {
    const now = count();
    if (now !== last) {
      last = now;
      since = performance.now();
    }
    if (last > 0 && performance.now() - since >= quietMs) return;
    if (performance.now() > giveUp) throw new Error(`not quiet within ${limitMs / 1000} s: ${last} so far`);
  }
}

import type { SimulatedHost } from '../cloud/entities.ts';
import type { Copy } from './copy-model.ts';

/** One copy between two hosts. */
export interface Transfer {
  readonly copy: Copy;
  /** Stops the copy. `onDone` is not called. */
  cancel(): void;
}

/**
 * Advances all copies together. The copies from and to a host share its migration bandwidth equally, and a copy runs at
 * the smaller share of its two hosts. Exact for any step size, because time is divided at the end of each round of each
 * copy.
 */
export interface TransferEngine {
  start(source: SimulatedHost, dest: SimulatedHost, copy: Copy, onDone: () => void): Transfer;
  /** Simulated seconds until the next round ends; Infinity without a copy. */
  secondsToNext(): number;
  /** Must not exceed `secondsToNext()`. */
  advance(seconds: number): void;
  readonly count: number;
  /** Call after the result of `stalled` may have changed. */
  refresh(): void;
}

interface Running {
  source: SimulatedHost;
  dest: SimulatedHost;
  copy: Copy;
  onDone: () => void;
}

/** @param stalled whether a fault prevents the progress of a copy */
export function createTransferEngine(
  options: { stalled?: (source: SimulatedHost, dest: SimulatedHost) => boolean } = {},
): TransferEngine {
  const running = new Set<Running>();

  function shares(): Map<SimulatedHost, number> {
    const counts = new Map<SimulatedHost, number>();
    for (const { source, dest } of running) {
      counts.set(source, (counts.get(source) ?? 0) + 1);
      counts.set(dest, (counts.get(dest) ?? 0) + 1);
    }
    for (const [host, count] of counts) counts.set(host, host.migrationBandwidthMib / count);
    return counts;
  }
  function computeRates(): Map<Running, number> {
    const share = shares();
    const found = new Map<Running, number>();
    for (const one of running) {
      const stalled = options.stalled?.(one.source, one.dest) ?? false;
      const rate = Math.min(share.get(one.source) as number, share.get(one.dest) as number);
      found.set(one, stalled ? 0 : rate);
    }
    return found;
  }
  // Rates change only when copies start or end, or with faults, but time is divided far more often.
  let known: Map<Running, number> | null = null;
  function rates(): Map<Running, number> {
    known ??= computeRates();
    return known;
  }
  function end(one: Running): void {
    running.delete(one);
    known = null;
  }
  return {
    start(source, dest, copy, onDone) {
      const one: Running = { source, dest, copy, onDone };
      running.add(one);
      known = null;
      return { copy, cancel: () => end(one) };
    },
    secondsToNext() {
      let least = Number.POSITIVE_INFINITY;
      for (const [one, rate] of rates()) {
        if (rate > 0) least = Math.min(least, one.copy.secondsLeft(rate));
      }
      return least;
    },
    advance(seconds) {
      for (const [one, rate] of rates()) {
        if (rate > 0) one.copy.advance(seconds, rate);
      }
      const done = [...running].filter((one) => one.copy.done);
      for (const one of done) {
        end(one);
        one.onDone();
      }
    },
    get count() {
      return running.size;
    },
    refresh() {
      known = null;
    },
  };
}

/**
 * Pre-copy live migration after Clark et al., "Live Migration of Virtual Machines" (NSDI 2005), with QEMU's
 * auto-converge. The first round copies all memory. Each further round copies the pages that the guest wrote during
 * the round before. The guest stops once the rest fits into the largest downtime. A guest that does not converge is
 * throttled by 20 % after the second round and by 10 % more with every further round, at most 99 %.
 */
export interface LiveCopyInput {
  /** Resident memory, MiB. */
  memoryMib: number;
  /** Blocks to copy before the memory (block migration), MiB; 0 on shared storage. */
  diskMib: number;
  /** Rate at which the guest dirties clean pages, MiB/s. */
  dirtyMibPerSecond: number;
  /** Maximum pause of the guest, seconds. */
  maxDowntimeSeconds: number;
}

/** A running copy. The caller provides the rate, because other migrations share it. */
export interface Copy {
  /** Seconds until the current round ends at `rate` MiB/s. */
  secondsLeft(rate: number): number;
  /** Copies for `seconds` at `rate`. Must not exceed the end of the round. */
  advance(seconds: number, rate: number): void;
  readonly done: boolean;
  readonly round: number;
  readonly diskLeftMib: number;
  readonly memoryLeftMib: number;
  readonly processedMib: number;
}

/** Fewer MiB than this count as zero, so that rounding never keeps a round open. */
const epsilonMib = 1e-6;
const mostRounds = 60;
/** Part of the memory that a guest rewrites. It limits the dirty pages of one round. */
const writableWorkingSet = 0.4;

/** Guests write 40 MiB/s of new pages per busy vCPU, a value between compile and database loads. */
export function dirtyRateOf(cpuPercent: number, vcpus: number): number {
  return (40 * vcpus * cpuPercent) / 100;
}

/** A live migration: disk (if any), then memory in rounds. */
export function createLiveCopy(input: LiveCopyInput): Copy {
  let diskLeft = input.diskMib;
  let roundLeft = input.memoryMib;
  let roundSeconds = 0;
  let round = 0;
  let processed = 0;
  let done = false;

  function endRound(rate: number): void {
    const throttle = round < 1 ? 0 : Math.min(0.99, 0.2 + 0.1 * (round - 1));
    const dirtied = input.dirtyMibPerSecond * (1 - throttle) * roundSeconds;
    const next = Math.min(dirtied, input.memoryMib * writableWorkingSet);
    round++;
    roundSeconds = 0;
    if (next <= rate * input.maxDowntimeSeconds || round >= mostRounds) {
      processed += next;
      roundLeft = 0;
      done = true;
      return;
    }
    roundLeft = next;
  }
  return {
    secondsLeft: (rate) => (diskLeft > 0 ? diskLeft : roundLeft) / rate,
    advance(seconds, rate) {
      if (done) return;
      const amount = seconds * rate;
      processed += amount;
      if (diskLeft > 0) {
        diskLeft = diskLeft - amount <= epsilonMib ? 0 : diskLeft - amount;
        return;
      }
      roundSeconds += seconds;
      roundLeft -= amount;
      if (roundLeft <= epsilonMib) endRound(rate);
    },
    get done() {
      return done;
    },
    get round() {
      return round;
    },
    get diskLeftMib() {
      return diskLeft;
    },
    get memoryLeftMib() {
      return roundLeft;
    },
    get processedMib() {
      return processed;
    },
  };
}

/** A cold migration: the disk is copied once while the guest is shut down. */
export function createColdCopy(diskMib: number): Copy {
  let left = diskMib;
  let processed = 0;
  return {
    secondsLeft: (rate) => left / rate,
    advance(seconds, rate) {
      processed += seconds * rate;
      left = left - seconds * rate <= epsilonMib ? 0 : left - seconds * rate;
    },
    get done() {
      return left === 0;
    },
    round: 0,
    get diskLeftMib() {
      return left;
    },
    memoryLeftMib: 0,
    get processedMib() {
      return processed;
    },
  };
}

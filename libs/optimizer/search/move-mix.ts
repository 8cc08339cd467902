import type { Neighbourhood } from '../moves/neighbourhood.ts';
import { tryPush } from '../moves/push.ts';
import { tryRearrange } from '../moves/rearrange.ts';
import { tryShift, tryShiftAnywhere } from '../moves/shift.ts';
import { trySwapWithHost } from '../moves/swap.ts';

/** A way to propose moves. */
export const moveKinds = [
  'shift',
  'shift-from-hot',
  'shift-to-hot',
  'shift-near',
  'home',
  'swap',
  'swap-hot',
  'swap-home',
  'push',
  'push-home',
  'rearrange',
  'swap-near',
  'rearrange-hot',
  'rearrange-home',
] as const;

export type MoveKind = (typeof moveKinds)[number];

/** How often each kind is proposed. The sum does not matter. */
export const usualShares: Readonly<Record<MoveKind, number>> = {
  shift: 24,
  'shift-from-hot': 6,
  'shift-to-hot': 6,
  'shift-near': 4,
  home: 4,
  swap: 26,
  'swap-hot': 8,
  'swap-home': 4,
  push: 8,
  'push-home': 10,
  rearrange: 0.25,
  'swap-near': 4,
  'rearrange-hot': 0.25,
  'rearrange-home': 0.5,
};

const slots = 1024;
const targetsTried = 4;
const partnersTried = 4;
const partnersOfHot = 16;

/** Proposes one move of a kind. Returns whether it was made. */
function propose(around: Neighbourhood, kind: number): boolean {
  const threshold = around.threshold();
  switch (kind) {
    case 0:
      return tryShiftAnywhere(around, around.anyItem(), targetsTried, threshold);
    case 1: {
      const item = around.residentOf(around.hottestHost());
      return item >= 0 && tryShiftAnywhere(around, item, targetsTried, threshold);
    }
    case 2:
      return tryShift(around, around.anyItem(), around.hottestHost(), threshold);
    case 3: {
      const item = around.anyItem();
      return tryShift(around, item, around.nearHost(item), threshold);
    }
    case 4: {
      const item = around.movedItem();
      return item >= 0 && tryShift(around, item, around.problem.home[item]!, threshold);
    }
    case 5:
      return trySwapWithHost(around, around.anyItem(), around.anyHost(), partnersTried, threshold);
    default:
      return proposeRarer(around, kind, threshold);
  }
}

function proposeRarer(around: Neighbourhood, kind: number, threshold: number): boolean {
  const { problem } = around;
  switch (kind) {
    case 6: {
      const item = around.residentOf(around.hottestHost());
      return item >= 0 && trySwapWithHost(around, item, around.anyHost(), partnersOfHot, threshold);
    }
    case 7: {
      const item = around.movedItem();
      return item >= 0 && trySwapWithHost(around, item, problem.home[item]!, partnersOfHot, threshold);
    }
    case 8:
      return tryPush(around, around.anyItem(), around.anyItem(), around.anyHost(), threshold);
    case 9: {
      const pushed = around.movedItem();
      return pushed >= 0 && tryPush(around, around.anyItem(), pushed, problem.home[pushed]!, threshold);
    }
    case 10:
      return tryRearrange(around, around.anyItem(), around.anyHost(), threshold);
    case 11: {
      const item = around.movedItem();
      return item >= 0 && trySwapWithHost(around, item, around.nearHost(item), partnersOfHot, threshold);
    }
    case 12:
      return tryRearrange(around, around.anyItem(), around.hottestHost(), threshold);
    default: {
      const host = around.hottestHost();
      const item = around.leaverOf(host);
      return item >= 0 && tryRearrange(around, item, host, threshold);
    }
  }
}

/** Limits of the factors by which shares follow success, and the weight of former counts. */
const slowest = 1 / 8;
const fastest = 8;
const memory = 0.8;

/** Draws kinds of moves by their shares, and shifts the shares to the kinds that gain most per evaluation. */
export class MoveMix {
  readonly tried = new Float64Array(moveKinds.length);
  readonly made = new Float64Array(moveKinds.length);
  private readonly usual: readonly number[];
  private readonly gained = new Float64Array(moveKinds.length);
  private readonly spent = new Float64Array(moveKinds.length);
  private readonly table = new Uint8Array(slots);

  constructor(shares: Readonly<Record<MoveKind, number>> = usualShares) {
    this.usual = moveKinds.map((kind) => shares[kind]);
    this.setShares(this.usual);
  }

  private setShares(shares: readonly number[]): void {
    const total = shares.reduce((sum, share) => sum + share, 0);
    let filled = 0;
    let sum = 0;
    shares.forEach((share, kind) => {
      sum += share;
      const end = Math.round((slots * sum) / total);
      this.table.fill(kind, filled, Math.max(end, filled));
      filled = Math.max(end, filled);
    });
  }

  step(around: Neighbourhood): void {
    const kind = this.table[around.random.next() >>> 22]!;
    const { placement } = around;
    const cost = placement.cost;
    const evaluations = around.evaluations;
    this.tried[kind]! += 1;
    if (propose(around, kind)) {
      this.made[kind]! += 1;
      this.gained[kind]! += Math.max(0, cost - placement.cost);
    }
    this.spent[kind]! += around.evaluations - evaluations + 1;
  }

  /**
   * Gives larger shares to kinds with a high recent gain per evaluation, smaller ones to others. No share becomes
   * zero.
   */
  adapt(): void {
    const rates = this.gained.map((gained, kind) => gained / Math.max(1, this.spent[kind]!));
    const mean =
      this.gained.reduce((sum, gained) => sum + gained, 0) / this.spent.reduce((sum, spent) => sum + spent, 1);
    if (mean > 0)
      this.setShares(
        this.usual.map((share, kind) => share * Math.min(fastest, Math.max(slowest, Math.sqrt(rates[kind]! / mean)))),
      );
    for (const counts of [this.gained, this.spent])
      counts.forEach((count, kind) => {
        counts[kind] = count * memory;
      });
  }
}

import { tryPush } from '../moves/push.ts';
import { tryRearrange } from '../moves/rearrange.ts';
import { tryShift, tryShiftAnywhere } from '../moves/shift.ts';
import { trySwap, trySwapWithHost } from '../moves/swap.ts';
import type { Neighbourhood } from './neighbourhood.ts';

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
] as const;

export type MoveKind = (typeof moveKinds)[number];

/** How often each kind is proposed; the sum does not matter. */
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
};

const slots = 1024;
const targetsTried = 4;
const partnersTried = 4;
const partnersOfHot = 16;

/** Proposes one move of a kind; answers whether it was made. */
function propose(around: Neighbourhood, kind: number): boolean {
  const threshold = around.threshold();
  switch (kind) {
    case 0:
      return tryShiftAnywhere(around, around.anyItem(), targetsTried, threshold);
    case 1: {
      const item = around.residentOf(around.hotHost());
      return item >= 0 && tryShiftAnywhere(around, item, targetsTried, threshold);
    }
    case 2:
      return tryShift(around, around.anyItem(), around.hotHost(), threshold);
    case 3: {
      const item = around.anyItem();
      return tryShift(around, item, around.nearHost(item), threshold);
    }
    case 4: {
      const item = around.awayItem();
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
      const item = around.residentOf(around.hotHost());
      return item >= 0 && trySwapWithHost(around, item, around.anyHost(), partnersOfHot, threshold);
    }
    case 7: {
      const item = around.awayItem();
      const other = item < 0 ? -1 : around.residentOf(problem.home[item]!);
      return other >= 0 && trySwap(around, item, other, threshold);
    }
    case 8:
      return tryPush(around, around.anyItem(), around.anyItem(), around.anyHost(), threshold);
    case 9: {
      const pushed = around.awayItem();
      return pushed >= 0 && tryPush(around, around.anyItem(), pushed, problem.home[pushed]!, threshold);
    }
    default:
      return tryRearrange(around, around.anyItem(), around.anyHost(), threshold);
  }
}

/** Draws kinds of moves by their shares and counts what they do. */
export class MoveMix {
  readonly tried = new Float64Array(moveKinds.length);
  readonly made = new Float64Array(moveKinds.length);
  private readonly table = new Uint8Array(slots);

  constructor(shares: Readonly<Record<MoveKind, number>> = usualShares) {
    this.setShares(moveKinds.map((kind) => shares[kind]));
  }

  setShares(shares: readonly number[]): void {
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
    this.tried[kind]! += 1;
    if (propose(around, kind)) this.made[kind]! += 1;
  }
}

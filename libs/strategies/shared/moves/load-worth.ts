import { shortNumber } from '../hosts/rows.ts';
import { horizonMinutes } from './move-cost.ts';

/** Load of a host above its limit before any move. */
export interface LimitExcess {
  /** Excess in the unit of the load, at least 0. */
  excess: number;
  /** Fraction of the time in which the host is near its limit, 0 to 1. */
  share: number;
}

/** Benefit of moves and their price, both in host minutes. */
export interface MoveWorth {
  /** Minutes near a limit that are avoided within the horizon. Negative: minutes that are caused. */
  avoided: number;
  price: number;
}

/** Rounding tolerance. A host exactly at its limit counts as near it. */
const rounding = 1e-9;

/**
 * Minutes within the horizon in which a host is near its limit. Removing a fraction of the excess avoids the same
 * fraction of them.
 * @param excess current load above the limit. Negative counts as none.
 */
export function minutesNearLimit(start: LimitExcess | undefined, excess: number): number {
  if (start === undefined) return 0;
  return (horizonMinutes * start.share * Math.max(0, excess + rounding)) / (start.excess + rounding);
}

/** Whether moves avoid more than they cost. */
export function isWorth({ avoided, price }: MoveWorth): boolean {
  return avoided > price;
}

/** The worth of several moves. */
export function sumOfWorth(worths: Iterable<MoveWorth>): MoveWorth {
  const sum: MoveWorth = { avoided: 0, price: 0 };
  for (const { avoided, price } of worths) {
    sum.avoided += avoided;
    sum.price += price;
  }
  return sum;
}

/** Rounding errors of sums must not show as negative numbers. */
const minutes = (value: number) => shortNumber(Math.abs(value) < 0.05 ? 0 : value, 0);

function worthWords({ avoided, price }: MoveWorth): string {
  const change = avoided > -0.05 ? `avoids ${minutes(avoided)}` : `causes ${minutes(-avoided)}`;
  return `${change} host minutes near a limit within a day, at a price of ${minutes(price)} host minutes`;
}

/** Sentence for the reason of a move, with a leading space. */
export function worthSentence(worth: MoveWorth, subject = 'It'): string {
  return ` ${subject} ${worthWords(worth)}.`;
}

/** Note for the report of an audit. Empty without moves. */
export function worthNotes(worth: MoveWorth, moves: number): string[] {
  return moves === 0 ? [] : [`the plan ${worthWords(worth)}`];
}

import { shortNumber } from '../hosts/rows.ts';
import { horizonMinutes } from './move-cost.ts';

/** Load of a host beyond its limit before any move. */
export interface LimitExcess {
  /** In the unit of the load, 0 or above: as far as the host needs relief. */
  excess: number;
  /** Part of the time in which the host is near its limit, 0 to 1. */
  share: number;
}

/** Benefit of moves and their price, both in minutes of a host. */
export interface MoveWorth {
  /** Minutes near a limit that are avoided within the horizon. Below 0: that are caused. */
  avoided: number;
  price: number;
}

/** So much load is rounding. It lets a host that is exactly at its limit count as near it. */
const rounding = 1e-9;

/**
 * Minutes within the horizon in which a host is near its limit. A relief of part of the excess avoids the
 * same part of them.
 * @param excess load beyond the limit now. Below 0 counts as none.
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

/** Rounding of sums never appears as a number below 0. */
const minutes = (value: number) => shortNumber(Math.abs(value) < 0.05 ? 0 : value, 0);

function worthWords({ avoided, price }: MoveWorth): string {
  const change = avoided > -0.05 ? `avoids ${minutes(avoided)}` : `causes ${minutes(-avoided)}`;
  return `${change} host minutes near a limit within a day, at a price of ${minutes(price)} host minutes`;
}

/** Sentence for the reason of a move, with a space before it. */
export function worthSentence(worth: MoveWorth, subject = 'It'): string {
  return ` ${subject} ${worthWords(worth)}.`;
}

/** Note for the report of an audit. None without a move. */
export function worthNotes(worth: MoveWorth, moves: number): string[] {
  return moves === 0 ? [] : [`the plan ${worthWords(worth)}`];
}

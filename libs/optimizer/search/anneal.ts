import type { MoveMix } from './move-mix.ts';
import type { Neighbourhood } from './neighbourhood.ts';

const stepsPerBlock = 128;
const blocksPerListing = 8;
/** Only items of at least so many temperatures take part. */
const sizeFactor = 2;
const priceLevels = 40;

/** Course of an annealing. */
export interface AnnealingCourse {
  /** Temperatures at begin and end, in units of cost. */
  from: number;
  to: number;
  /** Price of blocked room in the first part of the course; it then falls to 0. */
  blockedPrice: number;
}

/** The part of a search's budget that is used, 0 to 1, given all evaluations so far; 1 ends the search. */
export type Progress = (evaluations: number) => number;

/** Keeps the best placement that a search has met. */
export class Best {
  readonly host: Int32Array;
  value: number;

  constructor(host: ArrayLike<number>, value: number) {
    this.host = Int32Array.from(host);
    this.value = value;
  }

  offer(host: Int32Array, value: number): boolean {
    if (value >= this.value) return false;
    this.host.set(host);
    this.value = value;
    return true;
  }
}

/** Price of blocked room at a point of the course, in levels: full for 40 %, then falling to 0 at 90 %. */
export function blockedPriceAt(part: number, price: number): number {
  const left = Math.min(1, Math.max(0, (0.9 - part) / 0.5));
  return (price * Math.ceil(left * priceLevels)) / priceLevels;
}

/**
 * Anneals: the temperature falls from `course.from` to `course.to` as the budget is used, large items before small ones. The best
 * placement goes to `best`; the placement is left where the search ended.
 */
export function anneal(
  around: Neighbourhood,
  mix: MoveMix,
  course: AnnealingCourse,
  progress: Progress,
  best: Best,
): void {
  const { placement } = around;
  const fall = Math.log(course.to / course.from);
  let price = -1;
  let block = 0;
  let part = progress(around.evaluations);
  while (part < 1) {
    around.temperature = course.from * Math.exp(fall * part);
    around.admitFrom(sizeFactor * around.temperature);
    const wanted = blockedPriceAt(part, course.blockedPrice);
    if (wanted !== price) {
      placement.setBlockedPrice(wanted);
      price = wanted;
    }
    if (block % blocksPerListing === 0) {
      around.listHot();
      best.offer(placement.host, placement.objective());
    }
    for (let step = 0; step < stepsPerBlock; step += 1) mix.step(around);
    block += 1;
    part = progress(around.evaluations);
  }
  placement.setBlockedPrice(0);
  best.offer(placement.host, placement.objective());
}

import type { Placement } from '../kernel/placement.ts';
import type { Neighbourhood } from '../moves/neighbourhood.ts';
import type { Best } from './best.ts';
import type { MoveMix } from './move-mix.ts';
import type { Rounds } from './team.ts';

const stepsPerBlock = 128;
const blocksPerListing = 8;
const blocksPerAdaption = 64;
/** Interval at which other hosts are checked, and at which the best placement of many items is copied. */
const blocksPerFocus = 64;
const itemsPerBlock = 500;
/** Minimum size of items that take part, in temperatures, unless the run overrides it. */
const usualSizeFactor = 2;
const levels = 40;
/** From this part of the run on, nothing may stay above its limit. */
const hardFrom = 0.85;
const hardFactor = 100;
/** Number of times that the price of hosts above their limits rises. */
const pressesPerRun = 200;
/** From this part of the run on, the end of the run follows the remaining gain. */
const followsFrom = 0.5;
/** The rest of the run cools fast, because moves that increase the cost no longer help. */
const quenchFrom = 0.92;
const quenchFall = 5;
/** The pull home follows the temperature in steps of a tenth, because each step recomputes all costs. */
const pullSteps = 10;

/** Annealing schedule: temperatures and prices of one run. */
export interface AnnealingSchedule {
  /** Temperatures at start and end, in units of cost. */
  from: number;
  to: number;
  /** The end temperature for the remaining gain, recomputed in the second half. Default: `to`. */
  end?: () => number;
  /** Price of blocked room in the first part of the run. It then falls to 0. */
  blockedPrice: number;
  /** Price of an item off its home, in temperatures. Default 0. */
  pull?: number;
  /** Strength of guides to places and empty hosts in the first part of the run. It then falls to 0. */
  guidance: number;
  /** First and last price of room above limits (see `SoftRoom`). Default: limits are hard. */
  roomPrices?: { from: number; to: number };
  /** Minimum size of participating items, in temperatures. Default 2. */
  sizeFactor?: number;
  /** Participation in the rounds of a team, completed within the run. Default: the search is alone. */
  rounds?: Rounds;
}

/** Used fraction of the search's budget, 0 to 1, from the number of evaluations. 1 ends the search. */
export type Progress = (evaluations: number) => number;

/**
 * Weight of the terms that only steer the search at a point of the run, in levels: full for 40 %, then falling to
 * 0 at 90 %.
 */
function steeringAt(part: number): number {
  const left = Math.min(1, Math.max(0, (0.9 - part) / 0.5));
  return Math.ceil(left * levels) / levels;
}

/** Price of room at a point of the run, in levels. Limits become hard when no host exceeds them. */
function roomPriceAt({ roomPrices }: AnnealingSchedule, part: number, placement: Placement): number {
  if (roomPrices === undefined) return 0;
  if (part >= hardFrom) return placement.keepsLimits ? 0 : hardFactor * roomPrices.to;
  const level = Math.floor((part / hardFrom) * levels) / levels;
  return roomPrices.from * (roomPrices.to / roomPrices.from) ** level;
}

/** Price of an item off its home at a temperature. */
function pullAt({ pull = 0 }: AnnealingSchedule, temperature: number): number {
  return pull === 0 ? 0 : pull * Math.exp(Math.ceil(Math.log(temperature) * pullSteps) / pullSteps);
}

/** Offers the placement to `best` unless a host is above its limits. */
function offer(placement: Placement, best: Best): void {
  if (placement.keepsLimits) best.offer(placement.host, placement.objective());
}

/** Temperature over a run: falls by equal factors to its end, which may change on the way, then fast. */
class Cooling {
  private readonly schedule: AnnealingSchedule;
  private logarithm: number;
  private part = 0;

  constructor(schedule: AnnealingSchedule) {
    this.schedule = schedule;
    this.logarithm = Math.log(schedule.from);
  }

  at(part: number): number {
    const step = part - this.part;
    if (part >= quenchFrom) {
      this.logarithm -= (quenchFall * step) / (1 - quenchFrom);
    } else {
      const { to, end } = this.schedule;
      const target = Math.log(part < followsFrom || end === undefined ? to : end());
      this.logarithm += ((target - this.logarithm) * step) / (quenchFrom - this.part);
    }
    this.part = part;
    return Math.exp(this.logarithm);
  }
}

/**
 * Anneals: the temperature falls with the used budget, large items come before small ones. `best` receives the best
 * placement. The placement stays in the final state of the search.
 */
export function anneal(
  around: Neighbourhood,
  mix: MoveMix,
  schedule: AnnealingSchedule,
  progress: Progress,
  best: Best,
): void {
  const { placement } = around;
  const { blockedPrice, guidance, sizeFactor = usualSizeFactor, rounds } = schedule;
  const cooling = new Cooling(schedule);
  const blocksPerOffer = Math.max(blocksPerListing, Math.floor(placement.problem.items / itemsPerBlock));
  let presses = 0;
  let block = 0;
  let part = progress(around.evaluations);
  while (part < 1) {
    if (rounds?.at(part) === true) block = 0;
    around.temperature = cooling.at(part);
    const steering = steeringAt(part);
    const roomPrice = roomPriceAt(schedule, part, placement);
    placement.steer(steering * blockedPrice, steering * guidance, roomPrice, pullAt(schedule, around.temperature));
    for (; presses < part * pressesPerRun; presses += 1) placement.press();
    if (block % blocksPerFocus === 0) around.refocus();
    around.admitFrom(sizeFactor * around.temperature);
    if (block % blocksPerListing === 0) around.listHot();
    if (block % blocksPerOffer === 0) offer(placement, best);
    if (block % blocksPerAdaption === 0) mix.adapt();
    for (let step = 0; step < stepsPerBlock; step += 1) mix.step(around);
    block += 1;
    part = progress(around.evaluations);
  }
  placement.steer(0, 0, placement.softRoom.price);
  rounds?.finish();
  around.listOpen();
  offer(placement, best);
  placement.steer(0, 0);
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyShape, type RandomShape, randomProblem } from '../testing/random-problem.ts';
import { Departure } from './departure.ts';
import { Exchange } from './exchange.ts';
import { Placement } from './placement.ts';
import { Random } from './random.ts';

const everywhere = Number.POSITIVE_INFINITY;
/** Amounts by which the cost may rise. */
const allowances = [-20, 0, 30];

/** A placement after some allowed moves, so that items are off their homes. `roomPrice` 0: limits are hard. */
function movedPlacement(shape: RandomShape, roomPrice: number): Placement {
  const problem = randomProblem(shape);
  const placement = new Placement(problem);
  placement.steer(0, 0, roomPrice);
  const random = new Random(shape.seed);
  for (let moves = 0; moves < 10; moves += 1) {
    const item = random.below(problem.items);
    const to = random.below(problem.hosts);
    if (to !== placement.host[item] && placement.costWith(to, item, everywhere) < everywhere) placement.move(item, to);
  }
  return placement;
}

/** By how much the cost of hosts and moves rises when an item leaves for `to`. Infinite: no room. */
function riseOfShift(placement: Placement, item: number, to: number): number {
  const from = placement.host[item]!;
  const hosts = placement.costWithout(from, item) + placement.costWith(to, item, everywhere);
  const price = placement.priceAway(item, to) - placement.priceAway(item, from);
  return hosts - placement.costOf(from) - placement.costOf(to) + price;
}

function riseOfSwap(placement: Placement, item: number, partner: number): number {
  const a = placement.host[item]!;
  const b = placement.host[partner]!;
  const hosts =
    placement.costExchanged(a, item, partner, everywhere) + placement.costExchanged(b, partner, item, everywhere);
  const price = (one: number, to: number, from: number) =>
    placement.priceAway(one, to) - placement.priceAway(one, from);
  return hosts - placement.costOf(a) - placement.costOf(b) + price(item, b, a) + price(partner, a, b);
}

function shiftsAgree(placement: Placement): void {
  const { items, hosts } = placement.problem;
  const departure = new Departure(placement);
  for (const most of allowances)
    for (let item = 0; item < items; item += 1) {
      departure.begin(item, most);
      for (let to = 0; to < hosts; to += 1)
        if (to !== placement.host[item]) expect(departure.allows(to)).toBe(riseOfShift(placement, item, to) <= most);
    }
}

function swapsAgree(placement: Placement): void {
  const { items, hosts } = placement.problem;
  const exchange = new Exchange(placement);
  const anyPlace = new Int32Array(items);
  for (const most of allowances)
    for (let item = 0; item < items; item += 1)
      for (let b = 0; b < hosts; b += 1) {
        const count = placement.residents.countOf(b);
        if (b === placement.host[item] || count === 0) continue;
        exchange.begin(item, b, most);
        for (let checked = 0; checked < count; checked += 1) {
          const partner = placement.residents.at(b, checked);
          const isAllowed = riseOfSwap(placement, item, partner) <= most;
          expect(exchange.check(checked, 1, anyPlace, 0)).toBe(1);
          expect(exchange.found).toBe(isAllowed ? partner : -1);
        }
      }
}

describe.each([
  ['hard limits', 0],
  ['with soft room', 2],
])('%s', (_, roomPrice) => {
  test('a departure allows the rise that the costs of both hosts allow', () => {
    fc.assert(
      fc.property(anyShape, (shape) => shiftsAgree(movedPlacement(shape, roomPrice))),
      { numRuns: 60 },
    );
  });

  test('an exchange allows the rise that the costs of both hosts allow', () => {
    fc.assert(
      fc.property(anyShape, (shape) => swapsAgree(movedPlacement(shape, roomPrice))),
      { numRuns: 60 },
    );
  });
});

test('a swap is the same as two moves', () => {
  fc.assert(
    fc.property(anyShape, fc.constantFrom(0, 2), (shape, roomPrice) => {
      const placement = movedPlacement(shape, roomPrice);
      const other = movedPlacement(shape, roomPrice);
      const random = new Random(shape.seed + 1);
      const one = random.below(placement.problem.items);
      const two = random.below(placement.problem.items);
      const [a, b] = [placement.host[one]!, placement.host[two]!];
      fc.pre(a !== b);
      const change = other.move(one, b) + other.move(two, a);
      expect(placement.swap(one, two)).toBeCloseTo(change, 9);
      expect(placement.host).toEqual(other.host);
      expect(placement.cost).toBeCloseTo(other.cost, 9);
      expect(Array.from(placement.rows)).toEqual(Array.from(other.rows));
    }),
  );
});

import type { WhatIf } from '#libs/cluster-model';
import {
  annealPatterns,
  type FragmentProblem,
  orderMoves,
  type Problem,
  Random,
  type SlotsBound,
  slotsBound,
} from '#libs/optimizer';
import { roomOf } from './place-terms.ts';
import type { PlaceResource, Places, Term } from './terms.ts';

/** With more sizes of instances, only the most frequent ones move. */
const mostSizes = 8;
/** Nodes with more units use larger units. */
const mostUnits = 128;
/** Maximum steps of the knapsacks in all rounds of one bound: about half a second. */
const mostSteps = 3e8;
/** Rounds of a bound, of a bound that starts with the prices of another, and the minimum for useful prices. */
const rounds = { most: 600, further: 150, least: 30 };

/** One migration: any of the items, which have the same size and host. The first one moves the least memory. */
export interface PatternMove {
  items: readonly number[];
  to: number;
}

/** One resource of the hosts of a cloud in whole units, with the places of a flavor. */
interface Fragments {
  problem: FragmentProblem;
  /** Number of items of each size on each host, hosts × sizes. */
  items: number[][];
  /** Whether the units are exact and all movable instances take part, so that a bound is valid for the cloud. */
  isExact: boolean;
}

/** Places for a flavor that a number of moves can free, by the prices of one resource. */
export class PlacePatterns {
  private readonly fragments: Fragments;
  private readonly bounds = new Map<number, SlotsBound>();
  private readonly rounds: number;
  /** Places in the free units of the resource, and places of all hosts if they were empty. */
  private readonly now: number;
  private readonly most: number;

  constructor(fragments: Fragments, mostPlaces: number) {
    this.fragments = fragments;
    this.rounds = roundsOf(fragments.problem);
    const { free, slot, counts } = fragments.problem;
    this.now = free.reduce((sum, units, node) => sum + (counts[node] === 1 ? Math.floor(units / slot) : 0), 0);
    this.most = mostPlaces;
  }

  get isPossible(): boolean {
    return this.rounds >= rounds.least;
  }

  /** Lower bound of missing places for this number of moves. 0 when unknown. */
  leastMissing(moves: number): number {
    if (!this.isPossible || !this.fragments.isExact) return 0;
    return Math.max(0, this.most - this.now - Math.floor(this.boundOf(moves).gain + 1e-6));
  }

  /** Moves in a feasible order for the resource. `progress`: 0 to 1, from the number of steps. */
  propose(moves: number, seed: number, progress: (steps: number) => number): PatternMove[] {
    const { problem, items } = this.fragments;
    const { net } = annealPatterns(problem, this.boundOf(moves), moves, new Random(seed), progress);
    return orderMoves(problem, net).moves.map(({ size, from, to }) => ({
      items: items[from * problem.sizes.length + size]!,
      to,
    }));
  }

  private boundOf(moves: number): SlotsBound {
    const known = this.bounds.get(moves);
    if (known !== undefined) return known;
    const start = this.bounds.values().next().value;
    const most = start === undefined ? rounds.most : rounds.further;
    const bound = slotsBound(this.fragments.problem, moves, { rounds: Math.min(this.rounds, most), start });
    this.bounds.set(moves, bound);
    return bound;
  }
}

/**
 * Patterns for the places of a term, by the most limiting resource. Null when the places are no resources, or the
 * cloud is too large for prices.
 */
export function createPlacePatterns(
  model: WhatIf,
  { places: [kind] = [], hinges }: Term,
  alone: Problem,
): PlacePatterns | null {
  const { resources } = kind ?? {};
  if (kind === undefined || resources === undefined) return null;
  const rooms = resources.map((resource, at) => new Room(model, alone, { kind, resource, at }, hinges[at]!.limit));
  const scarce = rooms.reduce((best, room) => (room.places < best.places ? room : best));
  const fragments = scarce.fragments();
  const mostOn = (host: number) => Math.floor(Math.min(...hinges.map(({ limit }, k) => limit[host]! / kind.needs[k]!)));
  const most = scarce.free.reduce((sum, _, host) => sum + mostOn(host), 0);
  const patterns = fragments === null ? null : new PlacePatterns(fragments, most);
  return patterns?.isPossible === true ? patterns : null;
}

/** One resource of all hosts. */
class Room {
  readonly free: Float64Array;
  readonly counts: Uint8Array;
  readonly places: number;
  private readonly need: number;
  private readonly alone: Problem;
  private readonly at: number;

  constructor(
    model: WhatIf,
    alone: Problem,
    { kind, resource, at }: { kind: Places; resource: PlaceResource; at: number },
    limit: Float64Array,
  ) {
    this.alone = alone;
    this.at = at;
    this.need = kind.needs[at]!;
    this.counts = Uint8Array.from(limit, (most) => (most > 0 ? 1 : 0));
    this.free = limit.map((_, host) => (model.enabled[host] === 1 ? Math.max(0, roomOf(model, host, resource)) : 0));
    for (let item = 0; item < alone.items; item += 1) this.free[alone.home[item]!]! -= this.useOf(item);
    this.places = this.free.reduce(
      (sum, units, host) => sum + (this.counts[host] === 1 ? Math.floor(Math.max(0, units) / this.need) : 0),
      0,
    );
  }

  private useOf(item: number): number {
    return this.alone.use[item * this.alone.columns + this.at]!;
  }

  fragments(): Fragments | null {
    const { fixed, items, home, moveCost } = this.alone;
    const movable = Array.from({ length: items }, (_, item) => item).filter(
      (item) => fixed[item] === 0 && this.useOf(item) > 0,
    );
    if (movable.length === 0) return null;
    const exact = movable.reduce((divisor, item) => greatestDivisor(divisor, this.useOf(item)), this.need);
    const held = this.free.slice();
    for (const item of movable) held[home[item]!]! += this.useOf(item);
    const unit = exact * Math.ceil(held.reduce((most, units) => Math.max(most, units), 0) / exact / mostUnits);
    // In larger units an instance takes at least its room, and instances far below one unit stay.
    const unitsOf = (item: number) => (2 * this.useOf(item) < unit ? 0 : Math.ceil(this.useOf(item) / unit));
    const counted = new Map<number, number>();
    for (const item of movable) counted.set(unitsOf(item), (counted.get(unitsOf(item)) ?? 0) + 1);
    counted.delete(0);
    const sizes = [...counted.keys()]
      .sort((a, b) => counted.get(b)! - counted.get(a)! || a - b)
      .slice(0, mostSizes)
      .sort((a, b) => a - b);
    const byNode: number[][] = Array.from({ length: this.free.length * sizes.length }, () => []);
    for (const item of movable.sort((a, b) => moveCost[a]! - moveCost[b]! || a - b)) {
      const size = sizes.indexOf(unitsOf(item));
      if (size >= 0) byNode[home[item]! * sizes.length + size]!.push(item);
    }
    const problem: FragmentProblem = {
      slot: Math.ceil(this.need / unit),
      sizes,
      free: Int32Array.from(this.free, (units) => Math.max(0, Math.floor(units / unit))),
      contents: Int32Array.from(byNode, ({ length }) => length),
      counts: this.counts,
    };
    return { problem, items: byNode, isExact: unit === exact && counted.size === sizes.length };
  }
}

/** Maximum rounds within the steps of one bound. */
function roundsOf({ free, contents, sizes }: FragmentProblem): number {
  let steps = 0;
  free.forEach((units, node) => {
    const held = sizes.reduce((sum, size, k) => sum + size * contents[node * sizes.length + k]!, 0);
    steps += (held + 1) * (units + held / 2 + sizes.length);
  });
  return Math.min(rounds.most, Math.floor(mostSteps / Math.max(1, steps)));
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}

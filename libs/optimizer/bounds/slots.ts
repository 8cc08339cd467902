import { type FragmentProblem, type NodeType, nodeTypes, placesIn } from '../problem/fragments.ts';

/** A bound on places gained, with the prices that give it. */
export interface SlotsBound {
  /** No plan with this number of moves gains more places. The whole part of this fraction is also a bound. */
  gain: number;
  /** Price of a move, and price of a leaving instance by size. */
  movePrice: number;
  prices: Float64Array;
}

/** The best pattern of a node at given prices: its value, its gained places, and the items that leave and arrive. */
interface Reply {
  worth: number;
  moves: number;
  /** Leaving minus arriving, by size. */
  net: Int32Array;
}

/** Rounds of a bound, and the result of another budget with the prices to start from. */
export interface SlotsOptions {
  /** Default 600. */
  rounds?: number;
  /** Default: prices by size. */
  start?: SlotsBound;
}

/**
 * Greatest number of places that `moves` moves can gain, by prices: for every price μ ≥ 0 of a move and all prices π
 * of sizes `gain ≤ μ·moves + Σ nodes max over patterns (places gained − μ·arrivals − Σ π·(out − in))`.
 *
 * Proof. Items that leave a node arrive at another, so `Σ nodes (out − in) = 0` for each size, and a plan has at most
 * `moves` arrivals: the added terms are not negative for a real plan. Then each node may choose separately among all
 * patterns, of which its part of the plan is one. All patterns are checked: any part of the contents may leave, and any
 * items that then fit may arrive.
 *
 * The prices are found by deflected subgradient steps in `rounds` rounds (Camerini, Fratta and Maffioli: On improving
 * relaxation methods by modified gradient techniques, 1975). The function returns the least bound of all.
 */
export function slotsBound(
  problem: FragmentProblem,
  moves: number,
  { rounds = 600, start }: SlotsOptions = {},
): SlotsBound {
  const types = nodeTypes(problem);
  const { sizes, slot } = problem;
  const prices = start?.prices.slice() ?? Float64Array.from(sizes, (size) => size / slot);
  let best: SlotsBound = { gain: Number.POSITIVE_INFINITY, movePrice: 0, prices };
  let movePrice = start?.movePrice ?? 0.3;
  let aim = 0.2;
  let fruitless = 0;
  // Of the prices of sizes, and of a move.
  const direction = new Float64Array(sizes.length + 1);
  for (let round = 0; round < rounds; round += 1) {
    const { value, spare, net } = relaxed(problem, types, moves, movePrice, prices);
    fruitless += 1;
    if (value < best.gain - 1e-6) {
      if (value < best.gain * (1 - aim / 4)) aim *= 1.5;
      best = { gain: value, movePrice, prices: prices.slice() };
      fruitless = 0;
    }
    if (fruitless === fruitlessRounds) {
      // The step was too large: returns to the best prices with smaller steps.
      aim /= 2;
      fruitless = 0;
      movePrice = best.movePrice;
      prices.set(best.prices);
      direction.fill(0);
      continue;
    }
    const norm = deflect(direction, [...net, -spare]);
    if (norm === 0 || aim * best.gain < 1e-3) break;
    const step = (value - best.gain * (1 - aim)) / norm;
    movePrice = Math.max(0, movePrice + step * direction[sizes.length]!);
    prices.forEach((price, size) => {
      prices[size] = price + step * direction[size]!;
    });
  }
  return best;
}

/**
 * Deflects a direction of descent: removes its part opposite to the last direction, so steps do not oscillate. Returns
 * the square of its length.
 */
function deflect(direction: Float64Array, descent: readonly number[]): number {
  const norm = direction.reduce((sum, part) => sum + part * part, 0);
  const along = descent.reduce((sum, part, index) => sum + part * direction[index]!, 0);
  const kept = along < 0 ? -along / norm : 0;
  descent.forEach((part, index) => {
    direction[index] = part + kept * direction[index]!;
  });
  return direction.reduce((sum, part) => sum + part * part, 0);
}

const fruitlessRounds = 10;

/** Solves the relaxed problem at given prices: its value, unused moves, and leaving items without a destination. */
function relaxed(problem: FragmentProblem, types: NodeType[], moves: number, movePrice: number, prices: Float64Array) {
  const { sizes } = problem;
  const net = new Float64Array(sizes.length);
  let value = movePrice * moves;
  let spare = moves;
  const arrivalPrices = prices.map((price) => price - movePrice);
  const mostUnits = types.reduce((most, { free, contents }) => Math.max(most, free + heldUnits(sizes, contents)), 0);
  const arriving = knapsack(sizes, arrivalPrices, mostUnits, null);
  for (const type of types) {
    const reply = bestReply(problem, type, prices, arriving);
    const count = type.nodes.length;
    value += count * reply.worth;
    spare -= count * reply.moves;
    reply.net.forEach((instances, size) => {
      net[size]! += count * instances;
    });
  }
  return { value, spare, net };
}

/** Best pattern of a node: an exact knapsack over units that leave and units that arrive. */
function bestReply(
  { sizes, slot }: FragmentProblem,
  { free, contents, counts }: NodeType,
  prices: Float64Array,
  arriving: Knapsack,
): Reply {
  const held = heldUnits(sizes, contents);
  const leaving = knapsack(
    sizes,
    prices.map((price) => -price),
    held,
    contents,
  );
  const now = placesIn(slot, free, counts);
  let worth = 0;
  let chosen: [number, number] = [0, 0];
  for (let out = 0; out <= held; out += 1) {
    const base = leaving.worth[out]!;
    if (base === Number.NEGATIVE_INFINITY) continue;
    for (let into = 0; into <= free + out; into += 1) {
      const total = base + arriving.worth[into]! + placesIn(slot, free + out - into, counts) - now;
      if (total <= worth) continue;
      worth = total;
      chosen = [out, into];
    }
  }
  const net = leaving.pick(chosen[0]);
  let moves = 0;
  arriving.pick(chosen[1]).forEach((count, size) => {
    net[size]! -= count;
    moves += count;
  });
  return { worth, moves, net };
}

function heldUnits(sizes: readonly number[], contents: Int32Array): number {
  return sizes.reduce((sum, size, index) => sum + size * contents[index]!, 0);
}

type Knapsack = ReturnType<typeof knapsack>;

/** Greatest value for exactly n units, for every n up to `most`. `stock` limits the count of each size. */
function knapsack(sizes: readonly number[], worths: Float64Array, most: number, stock: Int32Array | null) {
  const worth = new Float64Array(most + 1).fill(Number.NEGATIVE_INFINITY);
  worth[0] = 0;
  const taken = sizes.map((size, index) => {
    const count = new Int32Array(most + 1);
    if (stock === null) fillFreely(worth, count, size, worths[index]!);
    else if (stock[index]! > 0) fillFromStock(worth, count, size, worths[index]!, stock[index]!);
    return count;
  });
  const pick = (units: number): Int32Array => {
    const counts = new Int32Array(sizes.length);
    for (let index = sizes.length - 1, left = units; index >= 0; index -= 1) {
      counts[index] = taken[index]![left]!;
      left -= counts[index]! * sizes[index]!;
    }
    return counts;
  };
  return { worth, pick };
}

function fillFreely(worth: Float64Array, count: Int32Array, size: number, each: number): void {
  for (let units = size; units < worth.length; units += 1) {
    const total = worth[units - size]! + each;
    if (total <= worth[units]!) continue;
    worth[units] = total;
    count[units] = count[units - size]! + 1;
  }
}

/** Iterates from the largest sum down, because the sums that it reads must not include this size yet. */
function fillFromStock(worth: Float64Array, count: Int32Array, size: number, each: number, stock: number): void {
  for (let units = worth.length - 1; units >= size; units -= 1) {
    const limit = Math.min(stock, Math.floor(units / size));
    for (let copies = 1; copies <= limit; copies += 1) {
      const total = worth[units - copies * size]! + copies * each;
      if (total <= worth[units]!) continue;
      worth[units] = total;
      count[units] = copies;
    }
  }
}

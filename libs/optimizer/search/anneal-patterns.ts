import type { SlotsBound } from '../bounds/slots.ts';
import type { Random } from '../kernel/random.ts';
import type { FragmentProblem } from '../problem/fragments.ts';
import { completePlan } from './complete-plan.ts';
import { candidatePatterns, type Pattern } from './patterns.ts';

/** Patterns of all nodes in which every leaving instance arrives, within the budget of moves. */
export interface PatternPlan {
  /** Places gained. */
  gain: number;
  moves: number;
  /** Leaving minus arriving, nodes × sizes. */
  net: Int32Array;
}

const temperatures = { from: 0.04, to: 0.0006 };
/**
 * In prices of a move, at start and end: the cost of an instance that leaves without arriving or the reverse (at the
 * end more than the move that it saves), of a move within the budget, and of one above it.
 */
const penalties = { unbalanced: [0.12, 1.2], move: [0.6, 0], excess: [0.6, 2.2] } as const;
/** Budget and balance count even when the bound gives a move almost no value. */
const leastMovePrice = 0.25;
/** Added to both penalties towards the end: one more place must not outweigh a violation. */
const wallPenalty = 0.8;
/** Number of runs. The next run often finds a solution that the previous one missed by little. */
const runs = 2;
const stepsPerBlock = 256;

/** Nodes' choices under change, with their sums. */
class Choices {
  readonly chosen: Uint16Array;
  readonly candidates: Pattern[][];
  readonly unbalanced: Int32Array;
  gain = 0;
  moves = 0;
  private readonly budget: number;
  private readonly movePrice: number;
  private penalty = { unbalanced: 0, move: 0, excess: 0 };

  constructor(candidates: Pattern[][], sizes: number, budget: number, movePrice: number) {
    this.candidates = candidates;
    this.chosen = new Uint16Array(candidates.length);
    this.unbalanced = new Int32Array(sizes);
    this.budget = budget;
    this.movePrice = movePrice;
  }

  setPenalties(part: number): void {
    const between = ([from, to]: readonly [number, number]) => from + (to - from) * part;
    const price = Math.max(leastMovePrice, this.movePrice);
    const wall = wallPenalty * part ** 4;
    this.penalty = {
      unbalanced: price * between(penalties.unbalanced) + wall,
      move: this.movePrice * between(penalties.move),
      excess: price * between(penalties.excess) + wall,
    };
  }

  get isPlan(): boolean {
    return this.moves <= this.budget && this.unbalanced.every((count) => count === 0);
  }

  /**
   * Change of the value at the prices of the bound, minus penalties, when a node gets another pattern. At the end,
   * moves within the budget cost nothing: at their price a plan that leaves half of them unused has the same value as
   * the best one.
   */
  rise(node: number, next: number): number {
    const old = this.candidates[node]![this.chosen[node]!]!;
    const wanted = this.candidates[node]![next]!;
    const { budget, moves, unbalanced, penalty } = this;
    let change = 0;
    for (let size = 0; size < unbalanced.length; size += 1) {
      const before = unbalanced[size]!;
      change += Math.abs(before - old.net[size]! + wanted.net[size]!) - Math.abs(before);
    }
    const excess = Math.max(0, moves - old.moves + wanted.moves - budget) - Math.max(0, moves - budget);
    const worth = wanted.worth - old.worth + (this.movePrice - penalty.move) * (wanted.moves - old.moves);
    return worth - penalty.unbalanced * change - penalty.excess * excess;
  }

  take(node: number, next: number): void {
    const old = this.candidates[node]![this.chosen[node]!]!;
    const wanted = this.candidates[node]![next]!;
    this.gain += wanted.gain - old.gain;
    this.moves += wanted.moves - old.moves;
    for (let size = 0; size < this.unbalanced.length; size += 1)
      this.unbalanced[size]! += wanted.net[size]! - old.net[size]!;
    this.chosen[node] = next;
  }
}

/**
 * Searches for the patterns that gain the most places with `budget` moves, starting from the prices of a bound. Ends
 * when `progress` (0 to 1, from the number of steps) reaches 1, or when the bound is reached.
 */
export function annealPatterns(
  problem: FragmentProblem,
  bound: SlotsBound,
  budget: number,
  random: Random,
  progress: (steps: number) => number,
): PatternPlan {
  const sizes = problem.sizes.length;
  const choices = new Choices(candidatePatterns(problem, bound), sizes, budget, bound.movePrice);
  const most = Math.floor(bound.gain + 1e-6);
  const best = { gain: 0, moves: 0, chosen: choices.chosen.slice() };
  const nodes = problem.free.length;
  let steps = 0;
  for (let part = progress(steps); part < 1 && best.gain < most; part = progress(steps)) {
    const cooled = (part * runs) % 1;
    const temperature = temperatures.from * (temperatures.to / temperatures.from) ** cooled;
    choices.setPenalties(cooled);
    for (let step = 0; step < stepsPerBlock; step += 1) {
      const node = random.below(nodes);
      const next = random.below(choices.candidates[node]!.length);
      if (choices.rise(node, next) < -temperature * random.exponential()) continue;
      choices.take(node, next);
      if (choices.gain <= best.gain || !choices.isPlan) continue;
      Object.assign(best, { gain: choices.gain, moves: choices.moves });
      best.chosen.set(choices.chosen);
    }
    steps += stepsPerBlock;
  }
  const none = completed(problem, { gain: 0, moves: 0, net: new Int32Array(nodes * sizes) }, budget);
  const net = new Int32Array(nodes * sizes);
  best.chosen.forEach((pattern, node) => {
    net.set(choices.candidates[node]![pattern]!.net, node * sizes);
  });
  const plan = completed(problem, { gain: best.gain, moves: best.moves, net }, budget);
  return none.gain > plan.gain ? none : plan;
}

/** A plan that spends its remaining moves on single moves. */
function completed(problem: FragmentProblem, plan: PatternPlan, budget: number): PatternPlan {
  const { gain, moves } = completePlan(problem, plan.net, budget - plan.moves);
  return { gain: plan.gain + gain, moves: plan.moves + moves, net: plan.net };
}

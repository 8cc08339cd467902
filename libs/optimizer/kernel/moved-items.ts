import type { Problem } from '../problem/problem.ts';

/** The items off their homes, and the room of transient columns that they block at home, in units of cost. */
export class MovedItems {
  /** The first `count` are valid. */
  readonly list: Int32Array;
  count = 0;
  blockedSum = 0;
  private readonly position: Int32Array;
  private readonly blocked: Float64Array;

  constructor(problem: Problem) {
    this.list = new Int32Array(problem.items);
    this.position = new Int32Array(problem.items);
    this.blocked = blockedRoom(problem);
  }

  clear(): void {
    this.count = 0;
    this.blockedSum = 0;
  }

  add(item: number): void {
    this.position[item] = this.count;
    this.list[this.count] = item;
    this.count += 1;
    this.blockedSum += this.blocked[item]!;
  }

  remove(item: number): void {
    this.count -= 1;
    const last = this.list[this.count]!;
    const at = this.position[item]!;
    this.list[at] = last;
    this.position[last] = at;
    this.blockedSum -= this.blocked[item]!;
  }

  /** Room that an item blocks at home while it is elsewhere. */
  blockedBy(item: number): number {
    return this.blocked[item]!;
  }
}

function blockedRoom({ items, columns, transientColumns, prices, use }: Problem): Float64Array {
  const room = new Float64Array(items);
  for (let item = 0; item < items; item += 1)
    for (let k = 0; k < transientColumns; k += 1) room[item]! += prices[k]! * use[item * columns + k]!;
  return room;
}

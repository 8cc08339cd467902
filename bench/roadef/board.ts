import { sharedInts } from '#libs/optimizer';

/**
 * The best placement of a search, in memory that threads share, readable at any time. Two copies are written in turn.
 * Readers take the newest complete one.
 */
export class Board {
  readonly memory: BoardMemory;

  constructor(memory: BoardMemory) {
    this.memory = memory;
  }

  publish(host: Int32Array): void {
    const { copies, state } = this.memory;
    const version = Atomics.load(state, 0) + 1;
    copies[version % 2]!.set(host);
    Atomics.store(state, 0, version);
  }

  /** The newest placement. Null before the first. */
  read(): Int32Array | null {
    const { copies, state } = this.memory;
    for (;;) {
      const version = Atomics.load(state, 0);
      if (version === 0) return null;
      const copy = copies[version % 2]!.slice();
      // The writer may have overwritten this copy while it was read. The other copy is complete then.
      if (Atomics.load(state, 0) - version < 1) return copy;
    }
  }
}

/** Memory to pass to a thread. */
export interface BoardMemory {
  copies: [Int32Array, Int32Array];
  state: Int32Array;
}

export function boardMemory(items: number): BoardMemory {
  return { copies: [sharedInts(items), sharedInts(items)], state: sharedInts(1) };
}

/** Room in one pool that a task releases when it is done. Releases are drawn in the order of their arrival. */
interface Release {
  task: number;
  amount: number;
}

interface Pool {
  free: number;
  releases: Release[];
  /** Index of the first release with an undrawn rest. */
  next: number;
  /** Room that is free now or after the planned releases. Negative while a host is overcommitted. */
  total: number;
  /** Tasks whose release only reduced the overcommitment of the pool. The next draw waits for them. */
  payers: number[];
}

/**
 * Accounts of room. Each unit of room is free from the start or released by a task, and goes to one task only. A task
 * waits for the tasks that release its room, so that the room exists in any order that the plan allows.
 */
export interface RoomLedger {
  /** Opens a pool unless it is open. `free` may be negative. */
  open(pool: number, free: number): void;
  /** Whether the pools cover the amounts together, including every release so far. Unknown pools have no limit. */
  covers(wants: readonly [pool: number, amount: number][]): boolean;
  /** Takes the amounts and returns the tasks that must end before. Call only when covered. */
  draw(wants: readonly [pool: number, amount: number][]): Set<number>;
  /** Adds room that is free after the task. */
  release(pool: number, amount: number, task: number): void;
}

const tolerance = 1e-6;

/** Creates an empty ledger. */
export function createRoomLedger(): RoomLedger {
  const pools = new Map<number, Pool>();

  function drawOne(pool: Pool, amount: number, tasks: Set<number>): void {
    for (const payer of pool.payers) tasks.add(payer);
    pool.total -= amount;
    const immediate = Math.min(Math.max(0, pool.free), amount);
    pool.free -= immediate;
    let missing = amount - immediate;
    while (missing > tolerance) {
      const release = pool.releases[pool.next];
      if (release === undefined) return;
      const part = Math.min(release.amount, missing);
      release.amount -= part;
      missing -= part;
      tasks.add(release.task);
      if (release.amount <= tolerance) pool.next++;
    }
  }

  return {
    open(id, free) {
      if (!pools.has(id)) pools.set(id, { free, releases: [], next: 0, total: free, payers: [] });
    },
    covers: (wants) =>
      wants.every(([id, amount]) => {
        const pool = pools.get(id);
        return pool === undefined || amount <= 0 || amount <= pool.total + tolerance;
      }),
    draw(wants) {
      const tasks = new Set<number>();
      for (const [id, amount] of wants) {
        const pool = pools.get(id);
        if (pool !== undefined && amount > 0) drawOne(pool, amount, tasks);
      }
      return tasks;
    },
    release(id, amount, task) {
      const pool = pools.get(id);
      if (pool === undefined || amount <= 0) return;
      pool.total += amount;
      const owed = Math.min(amount, Math.max(0, -pool.free));
      if (owed > 0) {
        pool.free += owed;
        pool.payers.push(task);
      }
      if (amount - owed > tolerance) pool.releases.push({ task, amount: amount - owed });
    },
  };
}

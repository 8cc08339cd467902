import type { MovesTogether } from '#libs/cluster-model';
import { createRoomLedger } from './room-ledger.ts';
import type { Task } from './tasks.ts';

/** The accounts of room of a cloud while migrations are dealt out, see `RoomLedger`. */
export interface RoomAccounts {
  /** Whether the destination can hold the instance of the task, counting the room that placed tasks release. */
  covers(task: Task): boolean;
  /**
   * Takes the room at the destination, makes the task wait for the tasks that release it, and returns the room at its
   * source.
   */
  place(task: Task): void;
}

/** Accounts of the pools that moves draw from. Each is opened when it is first requested. */
export function createRoomAccounts({ amountsOf, free }: MovesTogether): RoomAccounts {
  const ledger = createRoomLedger();

  function wantsOf(instance: number, host: number) {
    const amounts = amountsOf(instance, host);
    for (const [pool] of amounts) ledger.open(pool, free(pool));
    return amounts;
  }

  return {
    covers: ({ instance, destinationRow }) => ledger.covers(wantsOf(instance, destinationRow)),
    place(task) {
      for (const parent of ledger.draw(wantsOf(task.instance, task.destinationRow))) task.parents.add(parent);
      for (const [pool, amount] of wantsOf(task.instance, task.sourceRow)) ledger.release(pool, amount, task.index);
    },
  };
}

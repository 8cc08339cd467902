import { type ComputeSnapshot, createOrderedSets, type OrderedSets } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import { createTasks, type Task } from './tasks.ts';

/** Maximum number of moves that a search rolls back. There are many orders when several moves block each other. */
const mostRollbacks = 1000;

/**
 * Finds the first order in which each move is admitted after those before it. Without one, as many moves as possible
 * are in such an order, and the others follow.
 */
function findOrder(tasks: readonly Task[], sets: OrderedSets): Task[] {
  const now = sets.count();
  let longest: number[] = [];
  const isPlaced = tasks.map(() => false);
  const placed: { row: number; from: number }[] = [];
  const isNext = ({ instance, sourceRow, destinationRow }: Task) =>
    (sourceRow < 0 || now.hostOf(instance) === sourceRow) &&
    (destinationRow < 0 || now.admit(instance, destinationRow));

  function place(row: number): void {
    const { instance, destinationRow } = tasks[row] as Task;
    placed.push({ row, from: now.hostOf(instance) });
    isPlaced[row] = true;
    if (destinationRow >= 0) now.move(instance, destinationRow);
  }

  /** Rolls back the last move. Returns the next row to try in its place. */
  function rollback(): number {
    const { row, from } = placed.pop() as { row: number; from: number };
    isPlaced[row] = false;
    now.move((tasks[row] as Task).instance, from);
    return row + 1;
  }

  for (let [begin, rollbacks] = [0, 0]; placed.length < tasks.length; ) {
    const row = tasks.findIndex((task, at) => at >= begin && !isPlaced[at] && isNext(task));
    if (row >= 0) place(row);
    else if (placed.length > longest.length) longest = placed.map((one) => one.row);
    if (row < 0 && (placed.length === 0 || ++rollbacks > mostRollbacks)) break;
    begin = row >= 0 ? 0 : rollback();
  }
  const first = new Set(placed.length === tasks.length ? placed.map(({ row }) => row) : longest);
  const rest = tasks.map((_, row) => row).filter((row) => !first.has(row));
  return [...first, ...rest].map((row) => tasks[row] as Task);
}

/**
 * The moves of instances that stay together, in an order in which each is admitted by those before it, as far as there
 * is one. The given one where it is.
 */
export function admittedOrder(tasks: readonly Task[], sets: OrderedSets): Task[] {
  return findOrder(
    tasks.filter(({ instance }) => sets.of(instance).length > 0),
    sets,
  );
}

/**
 * A list of actions in which instances that stay together have changed places, so that each is admitted by those before
 * it.
 */
export function inAdmittedOrder(actions: readonly ProposedAction[], snapshot: ComputeSnapshot): ProposedAction[] {
  const sets = createOrderedSets(snapshot);
  if (sets.size < 2) return [...actions];
  const order = admittedOrder(createTasks(actions, snapshot), sets);
  const places = order.map(({ index }) => index).sort((a, b) => a - b);
  const changed = [...actions];
  order.forEach(({ action }, row) => {
    changed[places[row] as number] = action;
  });
  return changed;
}

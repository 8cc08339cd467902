import { moveOf, type TaskEvent, taskStateTable } from '#libs/domain';

/** A move of `taskStateTable` as SQL on `tasks AS task`: the assignment of the new state, the condition on the old one. */
export function taskMove(event: TaskEvent): { to: string; from: string } {
  const { from, to } = moveOf(taskStateTable, event);
  return { to: `state = '${to}'`, from: `task.state IN (${from.map((state) => `'${state}'`).join(', ')})` };
}

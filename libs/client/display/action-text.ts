import type { Action } from '../entities.ts';

/** The thing an action works on: name of the server, host or volume. */
export function subjectOf(action: Pick<Action, 'input_parameters'>): string {
  const { resource_name: name, resource_id: id } = action.input_parameters as Record<string, unknown>;
  if (typeof name === 'string' && name !== '') return name;
  if (typeof id === 'string') return /^[0-9a-f-]{36}$/.test(id) ? id.slice(0, 8) : id;
  return '';
}

/** Route of the action, such as `a → b`. Empty for actions without a move. */
export function routeOf(action: Pick<Action, 'input_parameters'>): string {
  const {
    source_node: source,
    destination_node: destination,
    state,
    input_parameters: undone,
  } = action.input_parameters as Record<string, unknown>;
  // A revert carries the parameters of the reverted action.
  if (typeof undone === 'object' && undone !== null)
    return routeOf({ input_parameters: undone as Record<string, never> })
      .split(' → ')
      .reverse()
      .join(' → ');
  if (typeof source === 'string' || typeof destination === 'string')
    return `${String(source ?? '?')} → ${String(destination ?? 'chosen by Nova')}`;
  return typeof state === 'string' ? state : '';
}

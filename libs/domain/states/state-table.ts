import { InvalidTransitionError } from '../errors.ts';

/** One legal transition of an entity: in state `from`, `event` leads to `to`. */
export interface Transition<State extends string, Event extends string> {
  readonly event: Event;
  readonly from: readonly State[];
  readonly to: State;
  /** The component that causes the transition, and the condition. Printed in the generated state documentation. */
  readonly by: string;
}

/**
 * The life cycle of one kind of entity. `transitions` is the only source of legal transitions: stores build their
 * conditional updates from it (`moveOf`), so no other state change is possible.
 */
export interface StateTable<State extends string, Event extends string> {
  readonly entity: string;
  readonly states: readonly State[];
  readonly initial: State;
  readonly terminal: readonly State[];
  readonly transitions: readonly Transition<State, Event>[];
}

/** Parts of a conditional update: the allowed states of the row, and the new state. */
export interface Move<State extends string> {
  readonly from: readonly State[];
  readonly to: State;
}

/**
 * The transition of `event`.
 * @throws InvalidTransitionError when the table has no such event.
 */
export function moveOf<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  event: Event,
): Move<State> {
  const transition = table.transitions.find((candidate) => candidate.event === event);
  if (!transition) throw new InvalidTransitionError(table.entity, 'any state', event);
  return { from: transition.from, to: transition.to };
}

/** Whether `event` may happen to an entity in `state`. */
export function canApply<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  state: State,
  event: Event,
): boolean {
  return table.transitions.some((candidate) => candidate.event === event && candidate.from.includes(state));
}

/** Whether `state` is final. */
export function isTerminal<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  state: State,
): boolean {
  return table.terminal.includes(state);
}

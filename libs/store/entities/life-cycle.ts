import type { StateTable } from '#libs/domain';

/** Columns that an event writes in addition to the state: values, or SQL expressions as functions. */
export type Effects = Record<string, unknown>;

/** Storage of the states of one kind of entity. */
export interface LifeCycle<State extends string, Event extends string> {
  table: StateTable<State, Event>;
  /** SQL that holds when the row is guarded by fencing number `:fence`. */
  fenceGuard: string;
  /** SQL of the row's current fencing number. Aliases as in `fenceGuard`. */
  currentFence: string;
  effects(event: Event, to: State): Effects;
}

/** States in which a process works on the entity and must hold a lease. */
const leasedStates = ['ONGOING', 'CANCELLING'];

/** Work that continues later has no holder in between. */
export const noHolder: Effects = { runInstance: null, leaseExpiresAt: null };

/**
 * The effect of a state change on the lease: work that ended or stopped has no holder, and work that waits for a claim
 * has no valid fencing number either, so that writes of the last holder are refused.
 */
export function leaseEffects(to: string): Effects {
  if (leasedStates.includes(to)) return {};
  return to === 'PENDING' ? { ...noHolder, fence: null } : noHolder;
}

import type { InstanceStateName } from '#libs/cluster-model';

/** What is done to an instance of the host; null when nothing is possible. */
export type Handling = 'live' | 'cold' | 'stop' | null;

/**
 * The way an instance leaves the host, by its state and the ways that are switched off. Nova migrates paused instances
 * live only and stopped ones cold only; an active one goes either way and is stopped when both are off.
 */
export function chooseMove(state: InstanceStateName, liveDisabled: boolean, coldDisabled: boolean): Handling {
  if (state === 'active') {
    if (!liveDisabled) return 'live';
    return coldDisabled ? 'stop' : 'cold';
  }
  if (state === 'paused') return liveDisabled ? null : 'live';
  if (state === 'stopped') return coldDisabled ? null : 'cold';
  return null;
}

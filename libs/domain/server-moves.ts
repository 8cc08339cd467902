/** Ways in which Nova brings a server to another host. */
export type MoveWay = 'live' | 'cold' | 'evacuate';

/** Properties of a server that decide how it may be moved, in Nova's words and numbers. */
export interface ServerCondition {
  /** Such as `active`, `stopped`, `paused`. */
  vmState: string;
  /** 0 unknown, 1 running, 3 paused, 4 shut down, 6 crashed, 7 suspended. */
  powerState: number;
  /** Null when no task runs on it. */
  taskState: string | null;
}

/** Nova's conditions for a server before it moves it in one way. No task may run on it in any. */
export interface MoveRule {
  vmStates: readonly string[];
  /** Null: any. */
  powerStates: readonly number[] | null;
  /** State of the compute service that the server is on. */
  sourceService: 'up' | 'down';
}

/** Power states of a guest that is there: it runs or is paused. */
const guestPowerStates = [1, 3];

/**
 * Nova's rules for each kind of move: server states, power states and the state of the source service. Strategies,
 * actions and the simulated Nova share this table. The cloud contract compares it with a real Nova.
 */
export const moveRules: Readonly<Record<MoveWay, MoveRule>> = {
  live: { vmStates: ['active', 'paused'], powerStates: guestPowerStates, sourceService: 'up' },
  cold: { vmStates: ['active', 'stopped'], powerStates: null, sourceService: 'up' },
  evacuate: { vmStates: ['active', 'stopped', 'error'], powerStates: null, sourceService: 'down' },
};

/** Whether there is a guest at that power state: one that runs or is paused. */
export function hasGuest(powerState: number): boolean {
  return guestPowerStates.includes(powerState);
}

/** Part of its condition that keeps Nova from moving the server in this way, or null. */
export function moveRefusal(way: MoveWay, server: ServerCondition): 'task_state' | 'vm_state' | 'power_state' | null {
  const { vmStates, powerStates } = moveRules[way];
  if (server.taskState !== null) return 'task_state';
  if (!vmStates.includes(server.vmState)) return 'vm_state';
  return powerStates === null || powerStates.includes(server.powerState) ? null : 'power_state';
}

/**
 * How a server leaves a host that is up when nothing else is requested: live when it has a guest, cold when it is
 * stopped. Null when it stays, also for an active one without a guest: a cold migration would start it.
 */
export function usualWay(server: ServerCondition): 'live' | 'cold' | null {
  if (moveRefusal('live', server) === null) return 'live';
  return server.vmState === 'stopped' && moveRefusal('cold', server) === null ? 'cold' : null;
}

/** Ways in which Nova moves a server to another host. */
export type MoveWay = 'live' | 'cold' | 'evacuate';

/** Properties of a server that decide how it may be moved, in Nova's words and numbers. */
export interface ServerCondition {
  /** Such as `active`, `stopped`, `paused`. */
  vmState: string;
  /** 0 unknown, 1 running, 3 paused, 4 shut down, 6 crashed, 7 suspended. */
  powerState: number;
  /** Null when no task is running. */
  taskState: string | null;
}

/** Nova's conditions for one way of moving a server. In all ways, no task may be running on the server. */
export interface MoveRule {
  vmStates: readonly string[];
  /** Null: any. */
  powerStates: readonly number[] | null;
  /** Required state of the compute service of the server's host. */
  sourceService: 'up' | 'down';
}

/** Power states of an existing guest: running or paused. */
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

/** Whether a guest exists in this power state: it is running or paused. */
export function hasGuest(powerState: number): boolean {
  return guestPowerStates.includes(powerState);
}

/** The condition that prevents Nova from moving the server in this way. Null without one. */
export function moveRefusal(way: MoveWay, server: ServerCondition): 'task_state' | 'vm_state' | 'power_state' | null {
  const { vmStates, powerStates } = moveRules[way];
  if (server.taskState !== null) return 'task_state';
  if (!vmStates.includes(server.vmState)) return 'vm_state';
  return powerStates === null || powerStates.includes(server.powerState) ? null : 'power_state';
}

/**
 * Default way for a server to leave a host that is up: live with a guest, cold when the server is stopped. Null when
 * it stays. An active server without a guest also stays, because a cold migration would start it.
 */
export function usualWay(server: ServerCondition): 'live' | 'cold' | null {
  if (moveRefusal('live', server) === null) return 'live';
  return server.vmState === 'stopped' && moveRefusal('cold', server) === null ? 'cold' : null;
}

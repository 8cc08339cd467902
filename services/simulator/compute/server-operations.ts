import type { Clock } from '#libs/domain';
import type { InstanceAction, SimulatedServer } from '../cloud/entities.ts';
import type { Timeline } from '../timeline.ts';
import { requireState } from './server-status.ts';

/** The caller, for records and lock checks. */
export interface Caller {
  projectId: string;
  userId: string;
  requestId: string;
}

/** Power and lock operations. @throws SimulatedApiError 409 when the state does not allow them */
export interface ServerOperations {
  change(server: SimulatedServer, operation: PowerOperation, caller: Caller): void;
  lock(server: SimulatedServer, reason: string | null): void;
  unlock(server: SimulatedServer): void;
}

interface PowerChange {
  from: SimulatedServer['vmState'][];
  task: string;
  to: SimulatedServer['vmState'];
  power: number;
  /** Simulated seconds. */
  seconds: number;
  actionName: string;
}

const powerChanges = {
  'os-stop': { from: ['active'], task: 'powering-off', to: 'stopped', power: 4, seconds: 10, actionName: 'stop' },
  'os-start': { from: ['stopped'], task: 'powering-on', to: 'active', power: 1, seconds: 5, actionName: 'start' },
  pause: { from: ['active'], task: 'pausing', to: 'paused', power: 3, seconds: 1, actionName: 'pause' },
  unpause: { from: ['paused'], task: 'unpausing', to: 'active', power: 1, seconds: 1, actionName: 'unpause' },
  suspend: { from: ['active'], task: 'suspending', to: 'suspended', power: 4, seconds: 10, actionName: 'suspend' },
  resume: { from: ['suspended'], task: 'resuming', to: 'active', power: 1, seconds: 10, actionName: 'resume' },
  reboot: { from: ['active', 'stopped'], task: 'rebooting', to: 'active', power: 1, seconds: 15, actionName: 'reboot' },
} as const satisfies Record<string, PowerChange>;

export type PowerOperation = keyof typeof powerChanges;

/** Whether an action of `/servers/{id}/action` is one of these. */
export function isPowerOperation(name: string): name is PowerOperation {
  return Object.hasOwn(powerChanges, name);
}

/** Adds a row of os-instance-actions. Returns a function that ends it, with the reason of a failure. */
export function recordAction(
  clock: Clock,
  server: SimulatedServer,
  action: string,
  caller: Caller,
): (fault?: string) => void {
  const now = clock.now();
  const row: InstanceAction = { action, ...caller, startedAt: now, updatedAt: now, endedAt: null, fault: null };
  server.actions.unshift(row);
  return (fault) => {
    row.updatedAt = clock.now();
    row.endedAt = row.updatedAt;
    row.fault = fault ?? null;
  };
}

/** Changes of servers that take simulated time. */
export function createServerOperations(deps: { clock: Clock; timeline: Timeline }): ServerOperations {
  const { clock, timeline } = deps;
  return {
    change(server, operation, caller) {
      const change: PowerChange = powerChanges[operation];
      requireState(server, change.actionName, change.from);
      const finish = recordAction(clock, server, change.actionName, caller);
      server.taskState = change.task;
      server.updatedAt = clock.now();
      timeline.after(change.seconds, () => {
        server.taskState = null;
        server.vmState = change.to;
        server.powerState = change.power;
        server.updatedAt = clock.now();
        finish();
      });
    },
    lock(server, reason) {
      server.locked = true;
      server.lockedReason = reason;
    },
    unlock(server) {
      server.locked = false;
      server.lockedReason = null;
    },
  };
}

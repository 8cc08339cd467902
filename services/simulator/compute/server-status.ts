import type { SimulatedServer } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';

const resizeTasks = new Set(['resize_prep', 'resize_migrating', 'resize_migrated', 'resize_finish']);
const statusByVmState = {
  building: 'BUILD',
  active: 'ACTIVE',
  stopped: 'SHUTOFF',
  paused: 'PAUSED',
  suspended: 'SUSPENDED',
  resized: 'VERIFY_RESIZE',
  shelved: 'SHELVED',
  shelved_offloaded: 'SHELVED_OFFLOADED',
  error: 'ERROR',
} as const;

/** The API's status, which Nova derives from vm_state and task_state. */
export function serverStatus(server: SimulatedServer): string {
  if (server.taskState?.startsWith('rebuild')) return 'REBUILD';
  if (server.vmState === 'error') return 'ERROR';
  if (server.taskState === 'migrating') return 'MIGRATING';
  if (server.taskState === 'resize_reverting') return 'REVERT_RESIZE';
  if (server.taskState !== null && resizeTasks.has(server.taskState)) return 'RESIZE';
  return statusByVmState[server.vmState];
}

/** Refuses with 409 like Nova's state checks: first the task, then the vm_state. */
export function requireState(server: SimulatedServer, action: string, vmStates: readonly string[]): void {
  if (server.taskState !== null) {
    throw new SimulatedApiError(
      409,
      `Cannot '${action}' instance ${server.uuid} while it is in task_state ${server.taskState}`,
    );
  }
  if (vmStates.includes(server.vmState)) return;
  throw new SimulatedApiError(
    409,
    `Cannot '${action}' instance ${server.uuid} while it is in vm_state ${server.vmState}`,
  );
}

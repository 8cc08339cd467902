import type { BlockedAction } from '#libs/plugin-kit';
import type { Task } from './tasks.ts';
import { withoutTasks } from './without-tasks.ts';

/** What is left of a plan without the hosts that can not be emptied. */
export interface Withdrawal {
  tasks: Task[];
  blocked: BlockedAction[];
}

function nameOf({ action: { inputParameters: input } }: Task): string {
  return String(input.resource_name ?? input.resource_id);
}

/** Hosts that actions are to leave empty although a migration off them is among the blocked ones. */
function hostsNotEmptied(tasks: readonly Task[], blocked: ReadonlySet<unknown>): Set<string> {
  const isBlocked = ({ isMigration, action }: Task) => isMigration && blocked.has(action.inputParameters.resource_id);
  const staying = new Set(tasks.filter(isBlocked).map(({ source }) => source));
  return new Set(tasks.flatMap(({ action: { freesHost } }) => (freesHost && staying.has(freesHost) ? freesHost : [])));
}

function because(task: Task, hosts: ReadonlySet<string>): BlockedAction {
  const host = task.action.freesHost ?? task.source ?? '';
  const what = task.isMigration ? `${nameOf(task)} stays` : `${task.action.actionType} of ${nameOf(task)} is left out`;
  return {
    action: task.action,
    constraint: 'host-not-emptied',
    why: `${what}: ${hosts.has(host) ? host : 'its host'} can not be emptied completely`,
  };
}

/**
 * Takes out of a plan what was to empty hosts that can not be emptied, since some migration off them is blocked: the actions that
 * are of use only then, changes of the same service after them, and all migrations off these hosts, which would be in vain. Null
 * when there is none.
 */
export function withdrawHosts(tasks: readonly Task[], blocked: readonly BlockedAction[]): Withdrawal | null {
  const reasons = new Map(blocked.map((entry) => [entry.action.inputParameters.resource_id, entry]));
  const hosts = hostsNotEmptied(tasks, new Set(reasons.keys()));
  if (hosts.size === 0) return null;
  const leaving = new Set(
    tasks.flatMap(({ isMigration, source, instance }) => (isMigration && source && hosts.has(source) ? instance : [])),
  );
  const isOff = ({ isMigration, instance, action: { actionType, freesHost, inputParameters } }: Task) =>
    isMigration
      ? leaving.has(instance)
      : hosts.has(freesHost ?? '') ||
        (actionType === 'change_nova_service_state' && hosts.has(String(inputParameters.resource_name)));
  const off = tasks.filter(isOff);
  const reasonOf = ({ action }: Task) => reasons.get(action.inputParameters.resource_id);
  return {
    tasks: withoutTasks(tasks, new Set(off.map(({ index }) => index))),
    // What stands in the way first, then what is in vain without it.
    blocked: [
      ...off.flatMap((task) => reasonOf(task) ?? []),
      ...off.flatMap((task) => (reasonOf(task) === undefined ? because(task, hosts) : [])),
    ],
  };
}

import type { BlockedAction } from '#libs/plugin-kit';
import { changesService } from '../action-view.ts';
import type { Task } from './tasks.ts';

/** Rest of a plan without the hosts that cannot be emptied. */
export interface Withdrawal {
  tasks: Task[];
  blocked: BlockedAction[];
}

function nameOf({ action: { inputParameters: input } }: Task): string {
  return String(input.resource_name ?? input.resource_id);
}

function instanceOf({ action }: Task): unknown {
  return action.inputParameters.resource_id;
}

/** Instances that the given migrations move. */
function movedBy(tasks: readonly Task[], isMeant: (task: Task) => boolean): Set<unknown> {
  return new Set(tasks.filter((task) => task.isMigration && isMeant(task)).map(instanceOf));
}

/**
 * Hosts that the plan must empty although a migration off them is blocked, and hosts that keep an instance because its
 * way led through one of these.
 */
function hostsNotEmptied(tasks: readonly Task[], blocked: ReadonlyMap<number, BlockedAction>): Set<string> {
  const wanted = new Set(tasks.flatMap(({ action: { freesHost } }) => freesHost ?? []));
  const hosts = new Set<string>();
  let staying = tasks.filter(({ index }) => blocked.has(index));
  for (let before = -1; before < hosts.size; ) {
    before = hosts.size;
    for (const { source } of staying) if (source !== null && wanted.has(source)) hosts.add(source);
    const kept = movedBy(tasks, ({ source }) => hosts.has(source ?? ''));
    staying = tasks.filter((task) => task.isMigration && kept.has(instanceOf(task)));
  }
  return hosts;
}

function because(task: Task, hosts: ReadonlySet<string>): BlockedAction {
  const host = task.action.freesHost ?? task.source ?? '';
  const what = task.isMigration ? `${nameOf(task)} stays` : `${task.action.actionType} of ${nameOf(task)} is left out`;
  return {
    action: task.action,
    constraint: 'host-not-emptied',
    why: `${what}: ${hosts.has(host) ? host : 'its host'} cannot be emptied completely`,
  };
}

/**
 * Removes from a plan the actions that empty a host when a migration off that host is blocked. Also removes later
 * changes of the same service and all migrations off the host, which would be useless. Null when no host is affected.
 */
export function withdrawHosts(tasks: readonly Task[], blocked: ReadonlyMap<number, BlockedAction>): Withdrawal | null {
  const hosts = hostsNotEmptied(tasks, blocked);
  if (hosts.size === 0) return null;
  const leaving = movedBy(tasks, ({ source }) => hosts.has(source ?? ''));
  const isOff = (task: Task) => {
    const { freesHost, inputParameters } = task.action;
    if (task.isMigration) return leaving.has(instanceOf(task));
    const isService = changesService(task.action);
    return hosts.has(freesHost ?? '') || (isService && hosts.has(String(inputParameters.resource_name)));
  };
  const off = tasks.filter(isOff);
  const inTheWay = off.flatMap(({ index }) => blocked.get(index) ?? []);
  const inVain = off.filter(({ index }) => !blocked.has(index)).map((task) => because(task, hosts));
  return {
    tasks: withoutTasks(tasks, new Set(off.map(({ index }) => index))),
    blocked: [...inTheWay, ...inVain],
  };
}

/** Tasks without the dropped ones, renumbered. */
export function withoutTasks(tasks: readonly Task[], dropped: ReadonlySet<number>): Task[] {
  const kept = tasks.filter(({ index }) => !dropped.has(index));
  const numbers = new Map(kept.map(({ index }, place) => [index, place]));
  return kept.map((task) => ({
    ...task,
    index: numbers.get(task.index) as number,
    parents: new Set([...task.parents].flatMap((parent) => numbers.get(parent) ?? [])),
  }));
}

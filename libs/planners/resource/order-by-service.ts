import { type ComputeSnapshot, createOrderedSets } from '#libs/cluster-model';
import { powerActionTypes } from '#libs/domain';
import { changesService, inputText, serviceHost, switchesTo } from '../action-view.ts';
import { admittedOrder } from './admitted-order.ts';
import type { Task } from './tasks.ts';

function byHost(tasks: readonly Task[], hostOf: (task: Task) => string | null): Map<string, Task[]> {
  const found = new Map<string, Task[]>();
  for (const task of tasks) {
    const host = hostOf(task);
    if (host === null) continue;
    const list = found.get(host);
    if (list === undefined) found.set(host, [task]);
    else list.push(task);
  }
  return found;
}

function after(children: readonly Task[], parent: Task): void {
  for (const child of children) child.parents.add(parent.index);
}

/** Moves to and from the host of a service change. */
interface HostMoves {
  arrivals: readonly Task[];
  departures: readonly Task[];
}

function orderDisable(task: Task, { arrivals, departures }: HostMoves): void {
  if (arrivals.length === 0) {
    after(departures, task);
    return;
  }
  for (const { index } of [...arrivals, ...departures]) if (index < task.index) task.parents.add(index);
}

function orderEnable(task: Task, { arrivals }: HostMoves, isFirst: boolean): void {
  after(isFirst ? arrivals : arrivals.filter(({ index }) => index > task.index), task);
}

/**
 * Parents by service state. A host is enabled before a move to it, and disabled before instances leave it, so that Nova
 * schedules nothing new there. A host that also receives instances is disabled after the moves that the strategy lists
 * before. Changes of one service keep their order.
 */
export function orderByService(tasks: readonly Task[]): void {
  const arrivals = byHost(tasks, ({ destination }) => destination);
  const departures = byHost(tasks, ({ source }) => source);
  const latest = new Map<string, Task>();
  for (const task of tasks) {
    if (!changesService(task.action)) continue;
    const host = serviceHost(task.action);
    const before = latest.get(host);
    if (before !== undefined) task.parents.add(before.index);
    latest.set(host, task);
    const moves = { arrivals: arrivals.get(host) ?? [], departures: departures.get(host) ?? [] };
    if (switchesTo(task.action, 'enabled')) orderEnable(task, moves, before === undefined);
    else if (switchesTo(task.action, 'disabled')) orderDisable(task, moves);
  }
}

/** Maximum machines that are switched concurrently. Fewer are powered on, to prevent a surge of current. */
const switchedAtOnce: Readonly<Record<string, number>> = { off: 50, on: 10 };

/** Adds the parents of power changes that limit their number: each waits for the one that far before it. */
function limitSwitched(tasks: readonly Task[]): void {
  const switched = new Map<string, Task[]>();
  for (const task of tasks) {
    const state = inputText(task.action, 'state') ?? '';
    const others = switched.get(state) ?? [];
    const former = others.at(-(switchedAtOnce[state] ?? 1));
    if (former !== undefined) task.parents.add(former.index);
    switched.set(state, [...others, task]);
  }
}

const isPower = ({ action }: Task) => powerActionTypes.includes(action.actionType);

/**
 * Parents by power: changes of the power and of the service of one host keep the order of the strategy, and a machine
 * is switched off after all instances have left it.
 */
export function orderByPower(tasks: readonly Task[]): void {
  const departures = byHost(tasks, ({ source }) => source);
  const latest = new Map<string, Task>();
  for (const task of tasks) {
    if (!isPower(task) && !changesService(task.action)) continue;
    const host = serviceHost(task.action);
    const before = latest.get(host);
    if (before !== undefined) task.parents.add(before.index);
    latest.set(host, task);
    if (!isPower(task)) continue;
    for (const { index } of departures.get(host) ?? []) if (index < task.index) task.parents.add(index);
  }
  limitSwitched(tasks.filter(isPower));
}

/** Actions on one resource, and messages and sleeps among themselves, run in the order of the strategy. */
export function orderByResource(tasks: readonly Task[]): void {
  const latest = new Map<string, Task>();
  for (const task of tasks) {
    const { action } = task;
    if (changesService(action)) continue;
    const resource = inputText(action, 'resource_id') ?? 'no resource';
    const before = latest.get(resource);
    if (before !== undefined) task.parents.add(before.index);
    latest.set(resource, task);
  }
}

/**
 * Instances that stay together, by an affinity group or a strict rule, move sequentially: each is only admitted on the
 * current host of the others. Groups on one host never move, so this only concerns groups on several hosts.
 */
export function orderTogether(tasks: readonly Task[], snapshot: ComputeSnapshot): void {
  const sets = createOrderedSets(snapshot);
  const latest = new Map<number, Task>();
  for (const task of admittedOrder(tasks, sets)) {
    for (const set of sets.of(task.instance)) {
      const before = latest.get(set);
      if (before !== undefined) task.parents.add(before.index);
      latest.set(set, task);
    }
  }
}

import type { RevertUse } from '#libs/plugin-kit';

/** An action to revert. */
export interface RevertTask extends RevertUse {
  uuid: string;
  /** Whether the action has taken effect. */
  hasTakenEffect: boolean;
}

/** The children of each action of a plan, by uuid. */
export interface ActionChildren {
  childrenOf(uuid: string): readonly string[];
}

type Order = Map<string, Set<string>>;

interface Orders {
  /** Children before their parents. */
  reverse: Order;
  /** The order under construction. */
  order: Order;
}

/**
 * The reverts that must end before each one may start. Children are reverted before their parents, with one exception:
 * moves back to a host whose service the plan changed run while that service is enabled. They run before the revert of
 * the newest change of the service when this change enabled it, otherwise right after it. If both rules cause a cycle,
 * only the first rule applies.
 */
export function orderReverts(
  tasks: readonly RevertTask[],
  graph: ActionChildren,
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(tasks.map((task) => task.uuid));
  const reverse: Order = new Map(
    tasks.map(({ uuid }) => [uuid, new Set([...reachable(graph, uuid)].filter((other) => known.has(other)))]),
  );
  const order: Order = new Map([...reverse].map(([uuid, waits]) => [uuid, new Set(waits)]));
  for (const [host, changes] of serviceChanges(tasks)) {
    const moves = tasks.filter((task) => task.movesTo === host);
    const newest = changes.find((change) => !changes.some((other) => reverse.get(change.uuid)?.has(other.uuid)));
    for (const move of moves) {
      for (const change of changes) {
        placeMove({ reverse, order }, move.uuid, change.uuid, change === newest && change.service?.enables === true);
      }
    }
  }
  const used = isAcyclic(order) ? order : reverse;
  return new Map([...used].map(([uuid, waits]) => [uuid, [...waits]]));
}

/** The effective changes of each service, by host. Later changes in the list come first. */
function serviceChanges(tasks: readonly RevertTask[]): Map<string, RevertTask[]> {
  const found = new Map<string, RevertTask[]>();
  for (const task of tasks.toReversed()) {
    if (!(task.service && task.hasTakenEffect)) continue;
    const { host } = task.service;
    found.set(host, [...(found.get(host) ?? []), task]);
  }
  return found;
}

/** Only the service moves in the order. Actions between it and the move keep their position relative to the move. */
function placeMove({ reverse, order }: Orders, move: string, change: string, changeIsFirst: boolean): void {
  const isBefore = (parent: string, child: string) => reverse.get(parent)?.has(child) === true;
  for (const uuid of order.keys()) {
    if (changeIsFirst && (uuid === move || isBefore(uuid, move))) order.get(change)?.delete(uuid);
    if (!changeIsFirst && (uuid === move || isBefore(move, uuid))) order.get(uuid)?.delete(change);
  }
  if (changeIsFirst) order.get(move)?.add(change);
  else order.get(change)?.add(move);
}

function reachable(graph: ActionChildren, from: string): Set<string> {
  const found = new Set<string>();
  const open = [...graph.childrenOf(from)];
  for (let uuid = open.pop(); uuid !== undefined; uuid = open.pop()) {
    if (found.has(uuid)) continue;
    found.add(uuid);
    open.push(...graph.childrenOf(uuid));
  }
  return found;
}

function isAcyclic(order: Order): boolean {
  const ended = new Set<string>();
  const started = new Set<string>();
  const visit = (uuid: string): boolean => {
    if (ended.has(uuid)) return true;
    if (started.has(uuid)) return false;
    started.add(uuid);
    for (const other of order.get(uuid) ?? []) if (!visit(other)) return false;
    ended.add(uuid);
    return true;
  };
  return [...order.keys()].every(visit);
}

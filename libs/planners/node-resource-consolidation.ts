import { type ComputeSnapshot, createMovesTogether } from '#libs/cluster-model';
import { migratingActionTypes, serviceActionTypes } from '#libs/domain';
import type { PlannedAction, PlannerPlugin, ProposedAction } from '#libs/plugin-kit';
import { inputText, switchesTo } from './action-view.ts';
import { createHostLanes } from './host-lanes.ts';
import { inAdmittedOrder } from './resource/admitted-order.ts';
import { orderTogether } from './resource/order-by-service.ts';
import { createRoomAccounts } from './resource/room-accounts.ts';
import { createTasks, type Task } from './resource/tasks.ts';
import { UnsupportedActionTypeError } from './weighting.ts';

/** Migrations that wait for others, whose room on shared storage they need, or with which they stay together. */
function tasksInOrder(migrations: readonly ProposedAction[], snapshot: ComputeSnapshot): Task[] {
  const tasks = createTasks(inAdmittedOrder(migrations, snapshot), snapshot);
  orderTogether(tasks, snapshot);
  // Hosts that are emptied take nothing, so the room of the others needs no accounts.
  if (snapshot.sharedDisks === undefined) return tasks;
  const accounts = createRoomAccounts(createMovesTogether(snapshot));
  for (const task of tasks) accounts.place(task);
  return tasks;
}

/**
 * Migrations of as many sources in turn as may run at once, in the order of the sources. So each waits for the one that
 * frees its place, and not for its neighbours in a chain.
 */
function inTurns(migrations: readonly ProposedAction[], sourcesAtOnce: number): ProposedAction[] {
  const bySource = new Map<string, ProposedAction[]>();
  for (const action of migrations) {
    const source = inputText(action, 'source_node') ?? '';
    const own = bySource.get(source) ?? [];
    own.push(action);
    bySource.set(source, own);
  }
  const turns: ProposedAction[] = [];
  const waiting = [...bySource.values()].map((own) => own.values());
  let active = waiting.splice(0, Math.max(1, sourcesAtOnce));
  while (active.length > 0) {
    active = active.flatMap((own) => {
      for (let source: typeof own | undefined = own; source !== undefined; source = waiting.shift()) {
        const next = source.next();
        if (next.done === true) continue;
        turns.push(next.value);
        return source;
      }
      return [];
    });
  }
  return turns;
}

const isMigration = ({ actionType }: ProposedAction) => migratingActionTypes.includes(actionType);
const isEnable = (action: ProposedAction) => switchesTo(action, 'enabled') || inputText(action, 'state') === 'up';

/** Whether an action enables a host for instances that the plan moves to it, and the plan has not disabled it. */
function createWakes(actions: readonly ProposedAction[]): (action: ProposedAction) => boolean {
  const named = (key: string, of: readonly ProposedAction[]) => new Set(of.map((action) => inputText(action, key)));
  const destinations = named('destination_node', actions.filter(isMigration));
  const disabled = named(
    'resource_name',
    actions.filter((action) => !isMigration(action) && !isEnable(action)),
  );
  return (action) => {
    const host = inputText(action, 'resource_name');
    return !isMigration(action) && isEnable(action) && destinations.has(host) && !disabled.has(host);
  };
}

/**
 * Watcher's order for emptying hosts: disables first, then the migrations of each source host as its own chain, then
 * enables after the end of all chains. A host that migrations go to is enabled before these. Only the first of a chain
 * names the disables: the others wait for them through it. Chains wait for each other where their migrations are not
 * possible side by side, or where more of them would run at once than the limits allow. Throws
 * UnsupportedActionTypeError for other action types.
 */
export const nodeResourceConsolidationPlanner: PlannerPlugin = {
  kind: 'planner',
  name: 'node_resource_consolidation',
  description: 'Disables, then one chain of migrations for each source host, then enables.',
  plan(actions, { snapshot, limits, newUuid }) {
    const lanes = createHostLanes(limits, snapshot);
    const isWake = createWakes(actions);
    for (const action of actions) {
      if (!isMigration(action) && !serviceActionTypes.includes(action.actionType)) {
        throw new UnsupportedActionTypeError('node_resource_consolidation', action.actionType);
      }
    }
    const disables = actions
      .filter((action) => !isMigration(action) && !isEnable(action))
      .map((action): PlannedAction => ({ ...action, uuid: newUuid(), parents: [] }));
    const disabled = disables.map(({ uuid }) => uuid);
    const wakes = actions.filter(isWake).map((action): PlannedAction => ({ ...action, uuid: newUuid(), parents: [] }));
    const wakeOf = new Map(wakes.map((action) => [inputText(action, 'resource_name'), action.uuid]));
    const lastOfSource = new Map<string, string>();
    const uuids: string[] = [];
    const inOrder = inTurns(actions.filter(isMigration), limits.parallelMigrations);
    const migrations = tasksInOrder(inOrder, snapshot).map(({ action, parents }): PlannedAction => {
      const source = inputText(action, 'source_node') ?? '';
      const before = lastOfSource.get(source);
      const uuid = newUuid();
      uuids.push(uuid);
      lastOfSource.set(source, uuid);
      const wake = wakeOf.get(inputText(action, 'destination_node') ?? '');
      const others = [
        ...(wake === undefined ? [] : [wake]),
        ...[...parents].map((parent) => uuids[parent] as string),
        ...lanes.enter(action, uuid),
      ];
      return { ...action, uuid, parents: [...new Set([...(before === undefined ? disabled : [before]), ...others])] };
    });
    const ends = lastOfSource.size > 0 ? [...lastOfSource.values()] : disabled;
    const enables = actions
      .filter((action) => !isMigration(action) && isEnable(action) && !isWake(action))
      .map((action): PlannedAction => ({ ...action, uuid: newUuid(), parents: ends }));
    return [...disables, ...wakes, ...migrations, ...enables];
  },
};

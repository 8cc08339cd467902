import { createMovesTogether } from '#libs/cluster-model';
import type { PlannedAction, PlannerPlugin } from '#libs/plugin-kit';
import { makeWay } from './make-way.ts';
import { orderByPower, orderByResource, orderByService, orderTogether } from './order-by-service.ts';
import { schedule } from './schedule.ts';
import { createTasks } from './tasks.ts';

/**
 * Vigil's default planner: a graph by resources. An action waits for earlier actions on the same instance. A move waits
 * for the service states of its hosts and for the moves that make room for it. Limits per host, network, aggregate and
 * plan hold at every moment, in any order of execution. All else runs in parallel. Full hosts that exchange instances
 * use a third host. Migrations without room are left out and reported.
 */
export const resourcePlanner: PlannerPlugin = {
  kind: 'planner',
  name: 'resource',
  description: 'A graph by resources: room is freed before it is used, and limits hold.',
  plan(actions, { snapshot, limits, newUuid, leftAlone = [], onBlocked }) {
    const tasks = createTasks(actions, snapshot);
    orderByResource(tasks);
    orderByService(tasks);
    orderByPower(tasks);
    orderTogether(tasks, snapshot);
    const together = createMovesTogether(snapshot);
    const way = makeWay(tasks, { snapshot, together, limits, leftAlone: new Set(leftAlone) });
    for (const blocked of way.blocked) onBlocked?.(blocked);
    const order = schedule(way.tasks, limits, snapshot);
    const uuids = new Map(order.map(({ index }) => [index, newUuid()]));
    return order.map(
      ({ action, index, parents }): PlannedAction => ({
        ...action,
        uuid: uuids.get(index) as string,
        parents: [...parents].sort((a, b) => a - b).map((parent) => uuids.get(parent) as string),
      }),
    );
  },
};

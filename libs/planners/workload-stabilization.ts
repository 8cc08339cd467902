import { migratingActionTypes, resizingActionTypes } from '#libs/domain';
import type { PlannedAction, PlannerPlugin } from '#libs/plugin-kit';
import { inputText } from './action-view.ts';
import { createHostLanes } from './host-lanes.ts';
import { UnsupportedActionTypeError } from './weighting.ts';

/** Watcher's order of types. Larger first. */
const weights: Readonly<Record<string, number>> = {
  resize: 1,
  migrate: 2,
  sleep: 3,
  change_nova_service_state: 4,
  nop: 5,
};

/**
 * Watcher's flat plan: actions by descending weight of their type. A `resize` waits for the earlier actions on its
 * instance. A migration waits for others when the limits are reached. Throws UnsupportedActionTypeError for a type
 * without weight.
 */
export const workloadStabilizationPlanner: PlannerPlugin = {
  kind: 'planner',
  name: 'workload_stabilization',
  description: 'A flat plan within the limits of migrations; a resize waits for the migration of its instance.',
  plan(actions, { snapshot, limits, newUuid }) {
    const lanes = createHostLanes(limits, snapshot);
    const weightOf = (actionType: string) => {
      const weight = weights[actionType];
      if (weight === undefined) throw new UnsupportedActionTypeError('workload_stabilization', actionType);
      return weight;
    };
    const onInstance = new Map<string, string[]>();
    const ordered = actions
      .map((action) => ({ action, weight: weightOf(action.actionType) }))
      .sort((a, b) => b.weight - a.weight);
    return ordered.map(({ action }): PlannedAction => {
      const uuid = newUuid();
      const instance = inputText(action, 'resource_id');
      const earlier = (instance === undefined ? undefined : onInstance.get(instance)) ?? [];
      const isResize = resizingActionTypes.includes(action.actionType);
      if (instance !== undefined && (isResize || migratingActionTypes.includes(action.actionType))) {
        onInstance.set(instance, [...earlier, uuid]);
      }
      return { ...action, uuid, parents: isResize ? earlier : lanes.enter(action, uuid) };
    });
  },
};

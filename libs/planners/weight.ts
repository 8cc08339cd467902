import type { PlannedAction, PlannerPlugin, ProposedAction } from '#libs/plugin-kit';
import { UnsupportedActionTypeError } from './errors.ts';

/** Place of an action type in the order, and how many of it run at once (at least 1). */
export interface Weighting {
  weight: number;
  parallelization: number;
}

/** Watcher's weights; heavier types run first. */
export const defaultWeighting: Readonly<Record<string, Weighting>> = {
  nop: { weight: 70, parallelization: 1 },
  volume_migrate: { weight: 60, parallelization: 2 },
  change_nova_service_state: { weight: 50, parallelization: 1 },
  sleep: { weight: 40, parallelization: 1 },
  stop: { weight: 35, parallelization: 2 },
  migrate: { weight: 30, parallelization: 2 },
  resize: { weight: 20, parallelization: 2 },
  change_node_power_state: { weight: 9, parallelization: 2 },
};

function groupByWeight(actions: ProposedAction[], weighting: Readonly<Record<string, Weighting>>) {
  const groups = new Map<number, { size: number; members: ProposedAction[] }>();
  for (const action of actions) {
    const rule = weighting[action.actionType];
    if (rule === undefined) throw new UnsupportedActionTypeError('weight', action.actionType);
    const group = groups.get(rule.weight);
    if (group === undefined) groups.set(rule.weight, { size: Math.max(1, rule.parallelization), members: [action] });
    else group.members.push(action);
  }
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group);
}

/**
 * Layers by action type: heavier types first, each type in chunks of its parallelization; every action of a chunk waits
 * for all of the chunk before. Weights are compared as numbers. Throws UnsupportedActionTypeError for a type without weight.
 */
export function createWeightPlanner(weighting: Readonly<Record<string, Weighting>> = defaultWeighting): PlannerPlugin {
  return {
    kind: 'planner',
    name: 'weight',
    description: 'Layers of actions by the weight of their type, each layer after the one before.',
    plan(actions, { newUuid }) {
      const planned: PlannedAction[] = [];
      let parents: string[] = [];
      for (const { size, members } of groupByWeight(actions, weighting)) {
        for (let start = 0; start < members.length; start += size) {
          const waitsFor = parents;
          const chunk = members
            .slice(start, start + size)
            .map((action) => ({ ...action, uuid: newUuid(), parents: waitsFor }));
          planned.push(...chunk);
          parents = chunk.map(({ uuid }) => uuid);
        }
      }
      return planned;
    },
  };
}

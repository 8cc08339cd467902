import type { PlannedAction, PlannerPlugin, ProposedAction, Weighting } from '#libs/plugin-kit';
import { defaultWeighting, UnsupportedActionTypeError } from './weighting.ts';

/** Types of equal weight share a group, and the smallest of their parallelizations. */
function groupByWeight(actions: ProposedAction[], weighting: Readonly<Record<string, Weighting>>) {
  const groups = new Map<number, { size: number; members: ProposedAction[] }>();
  for (const action of actions) {
    const rule = weighting[action.actionType];
    if (rule === undefined) throw new UnsupportedActionTypeError('weight', action.actionType);
    const group = groups.get(rule.weight) ?? { size: Number.POSITIVE_INFINITY, members: [] };
    group.size = Math.min(group.size, Math.max(1, rule.parallelization));
    group.members.push(action);
    groups.set(rule.weight, group);
  }
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group);
}

/**
 * Layers by action type: heavier types first, each type in chunks of its parallelization; every action of a chunk waits
 * for all of the chunk before. Weights are compared as numbers; `limits.weighting` changes them.
 * Throws UnsupportedActionTypeError for a type without weight.
 */
export const weightPlanner: PlannerPlugin = {
  kind: 'planner',
  name: 'weight',
  description: 'Layers of actions by the weight of their type, each layer after the one before.',
  plan(actions, { limits, newUuid }) {
    const planned: PlannedAction[] = [];
    let parents: string[] = [];
    for (const { size, members } of groupByWeight(actions, { ...defaultWeighting, ...limits.weighting })) {
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

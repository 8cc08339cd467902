import { type ComputeSnapshot, createMovesTogether } from '#libs/cluster-model';
import { actionFacts } from '#libs/domain';
import type { PlannedAction, PlannerPlugin, ProposedAction, Weighting } from '#libs/plugin-kit';
import { inputText } from './action-view.ts';
import { createHostLanes } from './host-lanes.ts';
import { inAdmittedOrder } from './resource/admitted-order.ts';
import { UnsupportedActionTypeError } from './weighting.ts';

const defaults: Readonly<Record<string, Weighting>> = Object.fromEntries(
  Object.entries(actionFacts).map(([type, { weighting }]) => [type, weighting]),
);

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

/** Divides actions into chunks of at most `size`. */
type Divide = (actions: readonly ProposedAction[], size: number) => ProposedAction[][];

/**
 * Migrations without room beside others of their chunk on shared storage, where each has a second copy while it moves,
 * start another chunk. So do instances that stay together with one of them.
 */
function createDivision(snapshot: ComputeSnapshot): Divide {
  const { amountsOf, free, orderedSetsOf } = createMovesTogether(snapshot);
  const rows = new Map(snapshot.instanceInfo.map(({ uuid }, row) => [uuid, row]));
  return (actions, size) => {
    const chunks: ProposedAction[][] = [];
    let chunk: ProposedAction[] = [];
    const taken = new Map<number, number>();
    const sets = new Set<number>();
    for (const action of actions) {
      const row = rows.get(inputText(action, 'resource_id') ?? '') ?? -1;
      const amounts = amountsOf(row, -1);
      const isFull = amounts.some(([pool, amount]) => (taken.get(pool) ?? 0) + amount > free(pool));
      if (chunk.length === 0 || chunk.length === size || isFull || orderedSetsOf(row).some((set) => sets.has(set))) {
        chunk = [];
        chunks.push(chunk);
        taken.clear();
        sets.clear();
      }
      chunk.push(action);
      for (const [pool, amount] of amounts) taken.set(pool, (taken.get(pool) ?? 0) + amount);
      for (const set of orderedSetsOf(row)) sets.add(set);
    }
    return chunks;
  };
}

/**
 * Layers by action type: heavier types first, each type in chunks of its parallelization. Every action of a chunk
 * waits for all of the chunk before. A chunk is smaller where its migrations are not possible side by side, and those
 * of one host wait for each other by the limits. Weights are compared as numbers. `limits.weighting` changes them.
 * Throws UnsupportedActionTypeError for a type without weight.
 */
export const weightPlanner: PlannerPlugin = {
  kind: 'planner',
  name: 'weight',
  description: 'Layers of actions by the weight of their type, each layer after the one before.',
  plan(actions, { snapshot, limits, newUuid }) {
    const planned: PlannedAction[] = [];
    const divide = createDivision(snapshot);
    const lanes = createHostLanes(limits, snapshot);
    let parents: string[] = [];
    for (const { size, members } of groupByWeight(inAdmittedOrder(actions, snapshot), {
      ...defaults,
      ...limits.weighting,
    })) {
      for (const chunk of divide(members, size)) {
        const waitsFor = parents;
        const own = new Set<string>();
        const layer = chunk.map((action) => {
          const uuid = newUuid();
          // Those of earlier chunks have ended.
          const beside = lanes.enter(action, uuid).filter((other) => own.has(other));
          own.add(uuid);
          return { ...action, uuid, parents: [...waitsFor, ...beside] };
        });
        planned.push(...layer);
        parents = layer.map(({ uuid }) => uuid);
      }
    }
    return planned;
  },
};

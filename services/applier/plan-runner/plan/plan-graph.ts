import type { ActionView } from '#libs/store';
import { PlanGraphError } from '../../errors.ts';

/** The order of a plan's actions. */
export interface PlanGraph {
  parentsOf(uuid: string): readonly string[];
  childrenOf(uuid: string): readonly string[];
}

/**
 * Builds the graph from `parents`.
 * @throws PlanGraphError when a parent is not in the plan or the graph has a cycle.
 */
export function buildPlanGraph(actions: readonly Pick<ActionView, 'uuid' | 'parents'>[]): PlanGraph {
  const parents = new Map(actions.map((action) => [action.uuid, action.parents]));
  const children = new Map<string, string[]>(actions.map((action) => [action.uuid, []]));
  for (const action of actions) {
    for (const parent of action.parents) {
      const siblings = children.get(parent);
      if (!siblings) throw new PlanGraphError(`action ${action.uuid} waits for ${parent}, which is not in the plan`);
      siblings.push(action.uuid);
    }
  }
  requireAcyclic(parents, children);
  return {
    parentsOf: (uuid) => parents.get(uuid) ?? [],
    childrenOf: (uuid) => children.get(uuid) ?? [],
  };
}

function requireAcyclic(parents: Map<string, string[]>, children: Map<string, string[]>): void {
  const waiting = new Map([...parents].map(([uuid, list]) => [uuid, list.length]));
  const free = [...waiting].filter(([, count]) => count === 0).map(([uuid]) => uuid);
  let done = 0;
  for (let uuid = free.pop(); uuid !== undefined; uuid = free.pop()) {
    done += 1;
    for (const child of children.get(uuid) ?? []) {
      const left = (waiting.get(child) ?? 0) - 1;
      waiting.set(child, left);
      if (left === 0) free.push(child);
    }
  }
  if (done < parents.size) throw new PlanGraphError('actions wait for each other in a circle');
}

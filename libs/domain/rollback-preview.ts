import type { Action, ActionDescription, Revertibility } from './entities.ts';

/** What rolling a plan back would do, as far as it is known before the plan starts. */
export interface RollbackPreview {
  /** How well the whole plan can be undone: as well as its worst action. */
  revertible: Revertibility;
  /** In the order of reverting: children before their parents. */
  actions: { uuid: string; actionType: string; revertible: Revertibility }[];
}

const worstFirst: readonly Revertibility[] = ['impossible', 'best-effort', 'exact'];

/**
 * Says of each action how well it could be undone once it has succeeded.
 * @param descriptions as stored by the appliers; an action type that none has described can not be undone
 */
export function previewRollback(
  actions: readonly Pick<Action, 'uuid' | 'actionType' | 'parents'>[],
  descriptions: readonly Pick<ActionDescription, 'actionType' | 'revertible'>[],
): RollbackPreview {
  const known = new Map(descriptions.map(({ actionType, revertible }) => [actionType, revertible]));
  const entries = childrenFirst(actions).map(({ uuid, actionType }) => ({
    uuid,
    actionType,
    revertible: known.get(actionType) ?? ('impossible' as const),
  }));
  const worst = worstFirst.find((candidate) => entries.some(({ revertible }) => revertible === candidate));
  return { revertible: worst ?? 'exact', actions: entries };
}

function childrenFirst<Node extends Pick<Action, 'uuid' | 'parents'>>(actions: readonly Node[]): Node[] {
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  const waiting = new Map(actions.map(({ uuid }) => [uuid, 0]));
  for (const parent of actions.flatMap(({ parents }) => parents)) waiting.set(parent, (waiting.get(parent) ?? 0) + 1);
  const ordered = actions.filter(({ uuid }) => waiting.get(uuid) === 0);
  // The list grows while it is walked: a parent follows the last of its children.
  for (const { parents } of ordered) {
    for (const parent of parents) {
      const left = (waiting.get(parent) ?? 0) - 1;
      waiting.set(parent, left);
      const action = byUuid.get(parent);
      if (left === 0 && action) ordered.push(action);
    }
  }
  return ordered;
}

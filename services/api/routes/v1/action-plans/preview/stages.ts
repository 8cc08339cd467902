import type { Revertibility } from '#libs/domain';
import type { ActionView } from '#libs/store';

/** The earliest start of an action, by order alone. */
export interface Placement {
  /** 1 for actions without parents. */
  stage: number;
  /** Estimated seconds from the start of the plan. */
  startsAfter: number;
  /** Estimated duration in seconds. */
  takes: number;
}

/**
 * Places each action after its parents, in time linear in actions and edges. Actions of a cycle, which no planner
 * makes, are placed as if they had no parents.
 */
export function placeActions<Action extends Pick<ActionView, 'uuid' | 'parents'>>(
  actions: readonly Action[],
  secondsOf: (action: Action) => number,
): Map<string, Placement> {
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  const parentsOf = (action: Action) => [...new Set(action.parents)].filter((parent) => byUuid.has(parent));
  const waitsFor = new Map(actions.map((action) => [action.uuid, parentsOf(action).length]));
  const children = new Map<string, string[]>(actions.map((action) => [action.uuid, []]));
  for (const action of actions) for (const parent of parentsOf(action)) children.get(parent)?.push(action.uuid);
  const placed = new Map<string, Placement>();
  const ready = actions.filter((action) => waitsFor.get(action.uuid) === 0);
  // The list grows while it is walked: children follow their last parent.
  for (const action of ready) {
    placed.set(action.uuid, placeOne(parentsOf(action), placed, secondsOf(action)));
    for (const child of children.get(action.uuid) ?? []) {
      const left = (waitsFor.get(child) ?? 0) - 1;
      waitsFor.set(child, left);
      const next = byUuid.get(child);
      if (left === 0 && next) ready.push(next);
    }
  }
  for (const action of actions) {
    if (!placed.has(action.uuid)) placed.set(action.uuid, { stage: 1, startsAfter: 0, takes: secondsOf(action) });
  }
  return placed;
}

function placeOne(parents: readonly string[], placed: ReadonlyMap<string, Placement>, takes: number): Placement {
  let stage = 1;
  let startsAfter = 0;
  for (const parent of parents) {
    const before = placed.get(parent);
    if (!before) continue;
    stage = Math.max(stage, before.stage + 1);
    startsAfter = Math.max(startsAfter, before.startsAfter + before.takes);
  }
  return { stage, startsAfter, takes };
}

/** The reversibility of a plan is that of its least reversible action. Null when one is unknown. */
export function verdictOf(verdicts: readonly (Revertibility | null)[]): Revertibility | null {
  if (verdicts.includes('impossible')) return 'impossible';
  if (verdicts.includes(null)) return null;
  return verdicts.includes('best-effort') ? 'best-effort' : 'exact';
}

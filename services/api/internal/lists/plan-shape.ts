import type { PlanEdge } from '#libs/store';
import { placeActions } from '../../routes/v1/action-plans/preview/stages.ts';

/**
 * Who waits for whom in a plan, small enough to be kept: actions by their places in an order in which each follows its
 * parents.
 */
export interface PlanShape {
  /** Types that there are. */
  types: readonly string[];
  /** Of each action the place of its type. */
  typeOf: Uint16Array;
  /** Seconds that an action says itself that it takes; NaN: as others of its type. */
  ownSeconds: Float64Array;
  /** The parents of the action `i` are `parents[begins[i]]` to before `parents[begins[i + 1]]`. */
  begins: Uint32Array;
  parents: Uint32Array;
}

/** Makes the shape of the actions of one plan. */
export function shapeOf(actions: readonly PlanEdge[]): PlanShape {
  const places = placeActions(actions, () => 1);
  const stageOf = ({ uuid }: PlanEdge) => places.get(uuid)?.stage ?? 1;
  const sorted = [...actions].sort((left, right) => stageOf(left) - stageOf(right));
  const placeOf = new Map(sorted.map(({ uuid }, at) => [uuid, at]));
  const types = [...new Set(sorted.map(({ actionType }) => actionType))];
  const parentsOf = sorted.map((action, at) =>
    // Only what comes before counts: a cycle is not a chain.
    [...new Set(action.parents)].flatMap((uuid) => placeOf.get(uuid) ?? []).filter((parent) => parent < at),
  );
  const begins = new Uint32Array(sorted.length + 1);
  for (const [at, parents] of parentsOf.entries()) begins[at + 1] = (begins[at] ?? 0) + parents.length;
  return {
    types,
    typeOf: Uint16Array.from(sorted, ({ actionType }) => types.indexOf(actionType)),
    ownSeconds: Float64Array.from(sorted, ({ duration }) => duration ?? Number.NaN),
    begins,
    parents: Uint32Array.from(parentsOf.flat()),
  };
}

/** Seconds of the longest chain of actions that wait for each other. */
export function longestChain(
  { types, typeOf, ownSeconds, begins, parents }: PlanShape,
  secondsOf: (actionType: string, ownSeconds: number | null) => number,
): number {
  const usual = types.map((type) => secondsOf(type, null));
  const ends = new Float64Array(typeOf.length);
  let longest = 0;
  for (const [at, type] of typeOf.entries()) {
    let start = 0;
    for (let index = begins[at] ?? 0; index < (begins[at + 1] ?? 0); index += 1)
      start = Math.max(start, ends[parents[index] ?? 0] ?? 0);
    const own = ownSeconds[at] ?? Number.NaN;
    ends[at] = start + (Number.isNaN(own) ? (usual[type] ?? 0) : secondsOf(types[type] ?? '', own));
    longest = Math.max(longest, ends[at] ?? 0);
  }
  return longest;
}

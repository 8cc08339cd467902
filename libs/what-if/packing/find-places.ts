import type { ConstraintName, WhatIf } from '#libs/cluster-model';
import type { Steps } from '../steps.ts';
import { findShortage, type Shortage } from './bounds.ts';
import { construct } from './construct.ts';
import { exhaust } from './exhaust.ts';
import type { Packing } from './packing.ts';
import {
  type Departure,
  mostFrequent,
  type PackingProblem,
  readProblem,
  type Stranded,
  withoutHosts,
} from './packing-problem.ts';

/** Whether instances find places. `unknown`: the search ended at its limit. */
export type Verdict = 'fits' | 'does_not_fit' | 'unknown';

/** An instance that was brought to a host in the model. */
export interface PlacedMove {
  instance: number;
  from: number;
  to: number;
}

/** Places that were found. The model has the moves. */
export interface FoundPlaces {
  verdict: Verdict;
  moves: readonly PlacedMove[];
  /** Instances without a place, with the constraint that rules out most hosts after the moves. */
  left: readonly Stranded[];
  /** Proof that room lacks. Null without one. */
  shortage: Shortage | null;
  /** Whether an instance has no host at all, even alone. */
  hasStranded: boolean;
  /** Why the verdict is unknown. Null otherwise. */
  limit: 'search' | 'order' | null;
}

/** Instances to bring to hosts. */
export interface PlacesTask {
  instances: readonly number[];
  /** Rows of the hosts that may take them: none of those that they are on. */
  hosts: readonly number[];
  departure: Departure;
  /** Pairs of instance and host that the complete search tries at most. */
  work: number;
}

/** Searches a place for every instance, and a proof where there is none. Moves them in the model. */
export function* findPlaces(model: WhatIf, task: PlacesTask): Steps<FoundPlaces> {
  const { problem, stranded } = yield* readProblem(model, task);
  const { packing, shortage, isLimited } = yield* pack(problem, task.work);
  const { moves, isAdmitted } = applyPacking(model, problem, packing, task.departure);
  const left = [...stranded, ...unplaced(model, { problem, packing, task })];
  const found = { moves, left, shortage, hasStranded: stranded.length > 0 };
  if (left.length === 0 && isAdmitted) return { ...found, verdict: 'fits', limit: null };
  // Instances that no order of moves brings anywhere decide alone.
  const isProven = stranded.some(({ isImmovable }) => isImmovable || !problem.isOrdered);
  if (isProven) return { ...found, verdict: 'does_not_fit', limit: null };
  const limit = openLimit(problem.isOrdered || !isAdmitted, isLimited);
  return { ...found, verdict: limit === null ? 'does_not_fit' : 'unknown', limit };
}

function openLimit(isOrderOpen: boolean, isLimited: boolean): FoundPlaces['limit'] {
  if (isOrderOpen) return 'order';
  return isLimited ? 'search' : null;
}

interface Packed {
  packing: Packing;
  shortage: Shortage | null;
  /** The complete search ended at its limit. */
  isLimited: boolean;
}

/** The packing of all items, or the best that was found with the proof that it cannot be whole. */
function* pack(problem: PackingProblem, work: number): Steps<Packed> {
  const packing = yield* construct(problem);
  if (packing.hostOf.every((host) => host >= 0)) return { packing, shortage: null, isLimited: false };
  const shortage = yield* findShortage(problem);
  if (shortage !== null || problem.isOrdered) return { packing, shortage, isLimited: false };
  const found = yield* exhaust(problem, work);
  if (found === 'limit' || found === null) return { packing, shortage, isLimited: found === 'limit' };
  return { packing: found, shortage, isLimited: false };
}

/** Moves the instances in the model as long as it admits each. */
function applyPacking(model: WhatIf, problem: PackingProblem, packing: Packing, departure: Departure) {
  const moves: PlacedMove[] = [];
  for (const [item, instance] of problem.items.entries()) {
    const to = problem.hosts[packing.hostOf[item] as number];
    if (to === undefined) continue;
    if (model.refusal(instance, to, departure) !== null) return { moves, isAdmitted: false };
    moves.push({ instance, from: model.hostOf[instance] as number, to });
    model.move(instance, to);
  }
  return { moves, isAdmitted: true };
}

/** The constraint that rules out most hosts for each item without a place. Equal items share it. */
function unplaced(
  model: WhatIf,
  { problem, packing, task }: { problem: PackingProblem; packing: Packing; task: PlacesTask },
): Stranded[] {
  const known = new Map<number, ConstraintName>();
  return problem.items.flatMap((instance, item) => {
    if (packing.hostOf[item] !== -1) return [];
    const itemClass = problem.classOf[item] as number;
    const constraint = known.get(itemClass) ?? refusedMostly(model, instance, task);
    if (itemClass >= 0) known.set(itemClass, constraint);
    return { instance, constraint, isImmovable: false };
  });
}

function refusedMostly(model: WhatIf, instance: number, { hosts, departure }: PlacesTask): ConstraintName {
  const tally = new Map<ConstraintName, number>();
  for (const host of hosts) {
    const because = model.refusal(instance, host, departure);
    if (because !== null) tally.set(because, (tally.get(because) ?? 0) + 1);
  }
  return mostFrequent(tally, withoutHosts(departure));
}

/** Reverts the moves, the last one first. */
export function revertMoves(model: WhatIf, moves: readonly PlacedMove[]): void {
  for (const { instance, from } of moves.toReversed()) model.move(instance, from);
}

import type { WhatIf } from '#libs/cluster-model';
import { holdsForeignAllocation } from '../hosts/allocation-values.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { createFailureReserve, failureReserveConstraint } from '../reserve/failure-reserve.ts';
import { emptyingMinutes, horizonMinutes, type MovePrices, tooDear } from './move-cost.ts';
import { isSpent } from './shared-parameters.ts';
import { createSoftChoice } from './soft-choice.ts';
import { createTrialMoves, type Step, type TrialMoves } from './trial-moves.ts';

/** Input of consolidation by whole hosts. */
export interface EmptyingTask {
  model: WhatIf;
  /** Hosts that accept instances, including empty ones: the base of the reserve. */
  accepting: readonly number[];
  /**
   * Orders in which hosts are tried. The plan with the most freed hosts and the fewest moves wins. On a tie, the first
   * wins.
   */
  orders: readonly (readonly number[])[];
  /** Whether a small cloud is searched for a better plan than those of the orders. */
  searchesSmall: boolean;
  /** Instances of a host in the order in which they are placed. */
  instancesOf(host: number): number[];
  /** Open hosts with room for the instance, the preferred first. */
  candidates(instance: number): Iterable<number>;
  /** Must be called for every move, and when a host starts (open) or stops accepting instances. */
  moved(instance: number, from: number, to: number): void;
  setOpen(host: number, open: boolean): void;
  /** Why an instance cannot be moved to any destination. Null when it can. */
  immovable(instance: number): string | null;
  /** Why a host may neither be emptied nor receive instances. Null when it may. */
  barred?(host: number): string | null;
  /** Prices of the migrations. */
  minutesOf: MovePrices;
  /** Whether a host that received instances may be emptied later. */
  emptiesTakers: boolean;
  /** Maximum consecutive hosts that cannot be emptied. 0: no limit. */
  attempts: number;
  /** Number of hosts that could be freed and are kept. */
  reserve: number;
  /** Hosts of each failure domain that may fail simultaneously. */
  failureReserve: number;
  budget?: number;
  /** Migrations of the same plan that the budget also has, such as those of a relief. Default 0. */
  spent?: number;
  signal: AbortSignal;
}

/** A plan. The model is in the state before the plan. */
export interface Emptied {
  /** Freed hosts in the order in which they became free. */
  freed: number[];
  /** Every instance with a new host, in the order of the last moves, which is feasible. */
  moves: Step[];
  /** Hosts that receive instances or must stay, in the order of their discovery. */
  destinations: number[];
  /** Constraints against emptying the hosts that stay. */
  obstacles: { constraint: string; host: number }[];
  /** Number of hosts that could be freed and stay for `reserve`. */
  kept: number;
  /** Notes of the failure reserve, to be reported with the obstacles. */
  reportReserve(blocked: BlockedTally): string[];
}

/** One attempt at a plan. */
export interface EmptyingRun {
  /** Tries the hosts in their order, one by one. */
  oneByOne(order: readonly number[]): void;
  /** Empties all of the hosts together. Returns false when that fails. At most `work.left` placements are tried. */
  together(hosts: readonly number[], work: { left: number }): boolean;
  /** Returns the plan and reverts the model. */
  end(): Emptied;
}

/** Starts with the current model. */
export function createEmptyingRun(task: EmptyingTask): EmptyingRun {
  const { model, accepting, budget = 0, spent = 0 } = task;
  const trial = createTrialMoves(model, task.moved);
  const reserve = createFailureReserve(model, accepting, task.failureReserve);
  const freed: { host: number; mark: number }[] = [];
  const destinations = new Set<number>();
  const obstacles: Emptied['obstacles'] = [];
  const closed = new Set<number>();

  function setOpen(host: number, open: boolean): void {
    if (open) closed.delete(host);
    else closed.add(host);
    task.setOpen(host, open);
  }

  function empty(host: number): string | null {
    const mark = trial.mark();
    for (const instance of task.instancesOf(host)) {
      const obstacle = place(task, trial, instance);
      if (obstacle === null) continue;
      trial.undoTo(mark);
      return obstacle;
    }
    const takers = trial.takersSince(mark);
    const isBeyondBudget = isSpent(budget, spent + trial.displaced() - 1);
    if (!isBeyondBudget && reserve.release(host, takers)) return null;
    trial.undoTo(mark);
    if (!isBeyondBudget) reserve.keep(host, takers);
    return isBeyondBudget ? 'migration-budget' : failureReserveConstraint;
  }

  function obstacleTo(host: number): string | null {
    const obstacle = hindrance(task, host);
    if (obstacle !== null) return obstacle;
    // Checked first, since it is cheap: a budget is exhausted long before all hosts of a large cloud are tried.
    if (isBeyondReach(task, trial, host)) return 'migration-budget';
    return reserve.needs(host) ? failureReserveConstraint : empty(host);
  }

  function tryToEmpty(host: number): boolean {
    setOpen(host, false);
    const mark = trial.mark();
    const obstacle = obstacleTo(host);
    if (obstacle === null) {
      freed.push({ host, mark });
      for (const taker of trial.takersSince(mark)) destinations.add(taker);
      return true;
    }
    if (obstacle !== failureReserveConstraint) obstacles.push({ constraint: obstacle, host });
    if ((task.barred?.(host) ?? null) === null) setOpen(host, true);
    destinations.add(host);
    return false;
  }

  function oneByOne(order: readonly number[]): void {
    let failures = 0;
    for (const host of order) {
      if (task.attempts > 0 && failures > task.attempts) return;
      task.signal.throwIfAborted();
      if (!task.emptiesTakers && destinations.has(host)) continue;
      failures = tryToEmpty(host) ? 0 : failures + 1;
    }
  }

  function together(hosts: readonly number[], work: { left: number }): boolean {
    if (hosts.some((host) => hindrance(task, host) !== null)) return false;
    for (const host of hosts) setOpen(host, false);
    const instances = hosts.flatMap((host) => task.instancesOf(host));
    const size = (row: number) => model.needs(row).vcpus + model.needs(row).memory / 1024;
    instances.sort((a, b) => size(b) - size(a) || a - b);
    if (isSpent(budget, spent + instances.length - 1) || !pack(task, trial, { instances, at: 0, work })) return false;
    const takers = trial.takersSince(0);
    if (!hosts.every((host) => reserve.release(host, takers))) return false;
    freed.push(...hosts.map((host) => ({ host, mark: 0 })));
    for (const taker of takers) destinations.add(taker);
    return true;
  }

  function end(): Emptied {
    const kept = task.reserve > 0 ? freed.splice(-task.reserve) : [];
    if (kept[0] !== undefined) trial.undoTo(kept[0].mark);
    const moves = trial.lastMoves();
    trial.undoTo(0);
    for (const host of closed) task.setOpen(host, true);
    return {
      freed: freed.map(({ host }) => host),
      moves,
      destinations: [...destinations],
      obstacles,
      kept: kept.length,
      reportReserve: reserve.report,
    };
  }

  return { oneByOne, together, end };
}

/** Moves one instance off its host. Returns the obstacle, or null on success. */
function place({ model, candidates }: EmptyingTask, trial: TrialMoves, instance: number): string | null {
  const choice = createSoftChoice(model, instance);
  let because = 'no-room';
  for (const to of candidates(instance)) {
    const refusal = model.refusal(instance, to);
    if (refusal !== null) because = refusal;
    else if (choice.offer(to)) break;
  }
  if (choice.host < 0) return because;
  trial.put(instance, choice.host);
  return null;
}

/** Whether the budget is too small for the host, even if all instances that moved to it return first. */
function isBeyondReach({ model, budget = 0, spent = 0 }: EmptyingTask, trial: TrialMoves, host: number): boolean {
  const instances = model.instancesOn(host);
  const away = instances.filter(trial.isAway).length;
  return isSpent(budget, spent + trial.displaced() + instances.length - 2 * away - 1);
}

/** Reason against emptying the host, regardless of its instances' destinations. Null without one. */
function hindrance(task: EmptyingTask, host: number): string | null {
  const { model, minutesOf } = task;
  const barred = task.barred?.(host) ?? null;
  if (barred !== null) return barred;
  if (holdsForeignAllocation(model, host)) return 'foreign-allocation';
  for (const instance of model.instancesOn(host)) {
    const immovable = task.immovable(instance);
    if (immovable !== null) return immovable;
  }
  return emptyingMinutes(model, host, minutesOf) > horizonMinutes ? tooDear : null;
}

/**
 * Places all instances from `at` on, with other choices when the first ones leave no room. Returns false when that
 * fails or `work.left` placements were tried. Then no instance is moved.
 */
function pack(
  task: EmptyingTask,
  trial: TrialMoves,
  { instances, at, work }: { instances: readonly number[]; at: number; work: { left: number } },
): boolean {
  const { model } = task;
  const instance = instances[at];
  if (instance === undefined) return true;
  const hosts = [...task.candidates(instance)].filter((host) => model.refusal(instance, host) === null);
  hosts.sort((a, b) => model.softCost(instance, a) - model.softCost(instance, b));
  for (const host of hosts) {
    if (work.left-- <= 0) return false;
    const mark = trial.mark();
    trial.put(instance, host);
    if (pack(task, trial, { instances, at: at + 1, work })) return true;
    trial.undoTo(mark);
  }
  return false;
}

import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted, type ObjectiveTerm, type WantedMove } from '#libs/domain';
import type { Placement } from '#libs/optimizer';
import {
  Descent,
  type ProposedAction,
  type StrategyContext,
  type StrategyReport,
  type StrategyResult,
  type StrategyVariant,
  searchPlacements,
} from '#libs/plugin-kit';
import { acceptingHosts, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { isWorth, sumOfWorth } from '../shared/moves/load-worth.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { createReserveGuard } from '../shared/reserve/reserve-guard.ts';
import { explainMoves } from './explain.ts';
import { hotLimitsOf } from './hot-limits.ts';
import { type Loads, readLoads, unmeasuredHosts } from './loads.ts';
import { moveEffort, movePrice, moveSeconds } from './move-seconds.ts';
import { orderMoves } from './order.ts';
import { budgetOf, factorsOf, reserveOf, type SearchParameters } from './parameters.ts';
import {
  canGain,
  createPlacementTask,
  levelInView,
  type PlacementTask,
  pointsAt,
  pointsOfPlacement,
  pricedProblem,
  repairs,
} from './placement-task.ts';
import { PlacesSearch } from './places-search.ts';
import { createReliefWorths, keepDear, type ReliefWorth } from './relief-worth.ts';
import { choosePlan, curveBudgets, evaluateMoves, type SizedPlan, withoutUseless } from './sizes.ts';
import { guardTerms, type Term } from './terms.ts';

/** A plan found by search, and the facts for its report. */
export interface Optimized {
  actions: ProposedAction[];
  /** Plans of all sizes. Empty when there is only one. */
  variants: StrategyVariant[];
  report: StrategyReport;
  rank: number[];
  endedBy: StrategyResult['endedBy'];
  /** Hosts without enough measurements. They receive no instances. */
  leftAlone: string[];
  /** Points of the aim before (100) and after the plan. */
  points: { before: number; after: number };
  /** Memory that the plan moves, GiB. */
  movedGib: number;
  /** The model after the plan. */
  after: WhatIf;
  /** CPU load of instances in vcpus. */
  cpu: Float64Array;
  /** Benefit of moves, based on the loads before the plan. */
  newWorth(): ReliefWorth;
}

type Context = StrategyContext<SearchParameters>;

function eligibleInstances(model: WhatIf, blocked: BlockedTally): number {
  let eligible = 0;
  model.hostOf.forEach((host, row) => {
    const because = host < 0 ? null : model.immovable(row);
    if (because !== null) blocked.add(because, instanceLabel(instanceAt(model.snapshot, row)));
    if (host >= 0 && because === null) eligible += 1;
  });
  return eligible;
}

/** Distance to the bound, as a fraction of the possible gain of the aim. 0 without a possible gain. */
function gapOf(objective: readonly ObjectiveTerm[]): number {
  const parts = objective.flatMap(({ level, before, after, bound }) => {
    const toGain = before - (bound ?? 0);
    return level === 2 && toGain > 1e-6 ? (after - (bound ?? 0)) / toGain : [];
  });
  return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
}

/** Whether a plan is useful: it gains enough of the aim, repairs a broken rule, or lowers a risk. */
function isWorthIt({ objective }: SizedPlan, gained: number, minGain: number): boolean {
  const urgent = objective.some(({ level, before, after }) => level < 2 && before - after > 1e-6);
  return urgent || gained >= minGain;
}

function whyEmpty({ settled, isDue }: { settled: boolean; isDue: boolean }, gained: number, minGain: number): string {
  if (settled) return 'nothing can be gained: no plan is better than the current placement';
  if (!isDue) return 'nothing is far enough from its best to be worth a plan';
  if (gained > 0) return `the best plan gains ${shortNumber(gained)} points of 100; the minimum gain is ${minGain}`;
  return 'no migration that is allowed improves anything';
}

/** Placement after the wanted migrations, as far as instance and host are known and the instance may move. */
function wantedPlacement(model: WhatIf, { problem, itemOf }: PlacementTask, wanted: readonly WantedMove[]): Int32Array {
  const host = problem.home.slice();
  for (const { instance, host: hostname } of wanted) {
    const item = itemOf[model.instanceRow(instance) ?? -1] ?? -1;
    const to = model.hostRow(hostname);
    if (item >= 0 && to !== undefined && problem.fixed[item] === 0) host[item] = to;
  }
  return host;
}

/** Placements for all sizes, or the wanted one. */
function findPlacements({ model, parameters, work, random, replan, past }: Context, task: PlacementTask) {
  if (replan !== null) return [{ budget: replan.length, host: wantedPlacement(model, task, replan) }];
  const budget = budgetOf(parameters);
  const bound = pointsAt(levelInView(task), task, (term) => term.boundWithin(budget));
  const former = past.open.length > 0 ? wantedPlacement(model, task, past.open) : undefined;
  const hasPlaces = task.terms.some(({ places }) => places !== undefined);
  const guard = createReserveGuard(model, reserveOf(parameters));
  const priced = {
    problem: pricedProblem(task),
    instanceOf: task.instanceOf,
    pointsOf: (placement: Placement) => pointsOfPlacement(task, placement),
    repairs: (placement: Placement, item: number, to: number) => repairs(task, placement, item, to),
  };
  const searcher = hasPlaces
    ? new PlacesSearch(model, task, { work, random, guard })
    : new Descent(model, priced, { work, guard });
  return searchPlacements(searcher, { work, random, budgets: curveBudgets(budget), bound, former });
}

/** The benefit of a plan, based on the loads before it. */
export function worthOfPlan(worth: ReliefWorth, moves: readonly { instance: number; from: number; to: number }[]) {
  return sumOfWorth(
    moves.map(({ instance, from, to }) => {
      const own = worth.ofMove(instance, from, to);
      worth.moved(instance, from, to);
      return own;
    }),
  );
}

/** Main improvement of a plan. */
export interface Aim {
  terms(model: WhatIf, loads: Loads): Term[];
  /** Whether a move off a hot host must avoid more than it costs. Default false. */
  priced?: boolean;
}

/**
 * Searches for the best plan by the terms of every plan and by the aim. Leaves the model of the context in the state
 * after the plan.
 */
export async function optimize(context: Context, aim: Aim): Promise<Optimized> {
  const { model: whole, parameters, metrics, replan } = context;
  const blocked = createBlockedTally();
  const { loads, model } = await readLoads(whole, metrics, parameters, blocked);
  const { cpu, notes } = loads;
  const effortOf = (instance: number) => moveEffort(model, cpu, instance);
  const secondsOf = (instance: number) => moveSeconds(context, instance);
  const task = createPlacementTask(
    model,
    [...guardTerms(model, loads, hotLimitsOf(parameters)), ...aim.terms(model, loads)],
    {
      movePrice: (instance) => movePrice(parameters.effort, effortOf(instance)),
      factors: factorsOf(parameters),
    },
  );
  const newWorth = createReliefWorths(model, loads, hotLimitsOf(parameters));
  const isPriced = aim.priced === true && replan === null;
  if (isPriced) keepDear(task, model, newWorth(), blocked);
  const settled = !canGain(task);
  const isDue = task.terms.some((term) => term.level === 2 && term.isDue);
  const mostSeconds = (parameters.max_minutes ?? Number.POSITIVE_INFINITY) * 60;
  const limits = { effortOf, secondsOf, mostSeconds, reserve: reserveOf(parameters) };
  const isUrgent = task.terms.some((term) => term.level < 2 && term.isDue);
  const found = settled || !(isDue || isUrgent || replan !== null) ? [] : findPlacements({ ...context, model }, task);
  const plans = withoutUseless(
    found.map(({ budget, host }) => {
      const worth = isPriced ? newWorth() : undefined;
      const ordered = orderMoves(createWhatIf(model.snapshot), task, host, { ...limits, worth });
      return evaluateMoves(model, task, { budget, ...ordered }, secondsOf);
    }),
  );
  const none = evaluateMoves(model, task, { budget: budgetOf(parameters), moves: [], dropped: 0 }, secondsOf);
  const gainedBy = ({ points }: SizedPlan) => (isDue ? none.points[2]! - points[2]! : Number.NEGATIVE_INFINITY);
  const isTooDear = ({ objective, moves }: SizedPlan) =>
    isPriced &&
    !objective.some(({ level, before, after }) => level === 0 && before - after > 1e-6) &&
    !isWorth(worthOfPlan(newWorth(), moves));
  const worthy = plans.filter(
    (plan) => replan !== null || (isWorthIt(plan, gainedBy(plan), parameters.min_gain) && !isTooDear(plan)),
  );
  const chosen = choosePlan(worthy, parameters.choose, none.value) ?? none;
  const variants = worthy.map(
    (plan): StrategyVariant => ({
      ...pick(plan),
      moves: plan.moves.length,
      chosen: plan === chosen,
      actions: explainMoves(model, task, plan.moves),
    }),
  );
  const actions = variants.find((variant) => variant.chosen)?.actions ?? [];
  for (const { instance, to } of chosen.moves) whole.move(instance, to);
  return {
    actions,
    variants: replan === null ? variants : [],
    rank: [...chosen.points, chosen.gib],
    endedBy: settled ? 'bound' : 'converged',
    leftAlone: unmeasuredHosts(model),
    points: { before: none.value, after: chosen.value },
    movedGib: chosen.gib,
    after: whole,
    ...{ cpu, newWorth },
    report: {
      hosts: { considered: model.snapshot.hostInfo.length, eligible: acceptingHosts(model).length },
      instances: { considered: model.snapshot.instanceInfo.length, eligible: eligibleInstances(model, blocked) },
      blocked: blocked.counts(),
      emptyBecause:
        actions.length > 0
          ? null
          : whyEmpty({ settled, isDue }, Math.max(0, ...plans.map(gainedBy)), parameters.min_gain),
      objective: chosen.objective,
      gap: gapOf(chosen.objective),
      notes: [...notesOf(none, chosen), ...notes],
    },
  };
}

const pick = ({ budget, gib, seconds, value, bound }: SizedPlan) => ({ budget, gib, seconds, value, bound });

const levelWords = ['broken rules', 'risk', 'aim'];

/** The changes of all levels, by their names. Empty when the plan changes none. */
function changesOf(before: readonly number[], after: readonly number[]): string {
  const changes = levelWords.flatMap((words, level) => {
    const [from, to] = [shortNumber(before[level]!), shortNumber(after[level]!)];
    return from === to ? [] : `${words} from ${from} to ${to}`;
  });
  return changes.length === 0 ? '' : `; the points change: ${changes.join(', ')}; no plan can be below 0`;
}

function notesOf(before: SizedPlan, { moves, gib, seconds, points, dropped }: SizedPlan): string[] {
  return [
    ...(moves.length > 0
      ? [
          `${counted(moves.length, 'migration')} of ${shortNumber(gib)} GiB, ${shortNumber(seconds / 60)} minutes one after the other` +
            changesOf(before.points, points),
        ]
      : []),
    ...(dropped > 0
      ? [`${counted(dropped, 'migration')} of the best placement found no place in an order, or gained nothing there`]
      : []),
  ];
}

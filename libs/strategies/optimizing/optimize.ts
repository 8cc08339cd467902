import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import type { ObjectiveTerm } from '#libs/domain';
import type { ProposedAction, StrategyContext, StrategyReport, StrategyResult } from '#libs/plugin-kit';
import { type BlockedTally, createBlockedTally } from '../blocked-tally.ts';
import { counted } from '../counted.ts';
import { acceptingHosts } from '../host-rows.ts';
import { instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import { explainMoves } from './explain.ts';
import { readLoads } from './loads.ts';
import { movePrice, moveSeconds } from './move-seconds.ts';
import { type OrderedMove, orderMoves } from './order.ts';
import { budgetOf, factorsOf, type SearchParameters } from './parameters.ts';
import { canGain, createPlacementTask, type PlacementTask, pointsOf, valueAt } from './placement-task.ts';
import { searchPlacement } from './search.ts';
import { guardTerms, type Term } from './terms.ts';

/** A plan found by search, and all that its report says. */
export interface Optimized {
  actions: ProposedAction[];
  report: StrategyReport;
  rank: number[];
  endedBy: StrategyResult['endedBy'];
  /** Points of the aim before and after, 100 and less. */
  points: { before: number; after: number };
  /** Memory that the plan moves, GiB. */
  movedGib: number;
  /** The model after the plan. */
  after: WhatIf;
  /** CPU load of instances in vcpus. */
  cpu: Float64Array;
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

function placementAfter(task: PlacementTask, moves: readonly OrderedMove[]): Int32Array {
  const host = task.problem.home.slice();
  for (const { item, to } of moves) host[item] = to;
  return host;
}

function objectiveOf(task: PlacementTask, host: Int32Array): ObjectiveTerm[] {
  return task.terms.map(({ level, name, unit, before, boundOfPlan, first, hinges }) => ({
    level,
    term: name,
    unit,
    before,
    after: valueAt(task.problem, host, first, hinges.length),
    bound: boundOfPlan,
  }));
}

/** Mean points of the terms of a level; 0 where nothing can be gained. */
function pointsAt(level: number, task: PlacementTask, value: (index: number) => number): number {
  const open = task.terms.flatMap((term, index) => (term.level === level && term.before > term.bound ? index : []));
  const sum = open.reduce((all, index) => all + pointsOf(task.terms[index]!, value(index)), 0);
  return open.length === 0 ? 0 : sum / open.length;
}

/** What is left to the bound, as a part of what there was to gain of the aim; 0 where nothing was. */
function gapOf(objective: readonly ObjectiveTerm[]): number {
  const parts = objective.flatMap(({ level, before, after, bound }) => {
    const toGain = before - (bound ?? 0);
    return level === 2 && toGain > 1e-6 ? (after - (bound ?? 0)) / toGain : [];
  });
  return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
}

/** Whether a plan is worth it: it gains enough of the aim, or repairs something, or lowers a risk. */
function isWorthIt(objective: readonly ObjectiveTerm[], gained: number, minGain: number): boolean {
  const urgent = objective.some(({ level, before, after }) => level < 2 && before - after > 1e-6);
  return urgent || gained >= minGain;
}

function whyEmpty(settled: boolean, gained: number, minGain: number): string {
  if (settled) return 'nothing can be gained: no plan is better than what is there';
  if (gained > 0) return `the best plan gains ${shortNumber(gained)} points of 100; at least ${minGain} are asked for`;
  return 'no migration that is allowed improves anything';
}

/** Searches for the best plan by the guards of every plan and by `aim`. The model of the context is left after the plan. */
export async function optimize(
  context: Context,
  aim: (model: WhatIf, cpu: Float64Array) => Term[],
): Promise<Optimized> {
  const { model, parameters, metrics, work, random } = context;
  const blocked = createBlockedTally();
  const window = { periodSeconds: parameters.period, aggregate: parameters.aggregation_method };
  const { cpu, notes } = await readLoads(model, metrics, window, blocked);
  const seconds = (instance: number) => moveSeconds(model, cpu, instance);
  const task = createPlacementTask(model, [...guardTerms(model, cpu, parameters.hot_limit), ...aim(model, cpu)], {
    movePrice: (instance) => movePrice(parameters.effort, seconds(instance)),
    factors: factorsOf(parameters),
    mostMoves: budgetOf(parameters),
  });
  const settled = !canGain(task);
  const { home } = task.problem;
  const found = settled ? home : searchPlacement(model, task, { work, random, mostMoves: budgetOf(parameters) }).host;
  const ordered = orderMoves(createWhatIf(model.snapshot), task, found, seconds);
  const wanted = objectiveOf(task, placementAfter(task, ordered.moves));
  const before = pointsAt(2, task, (index) => task.terms[index]!.before);
  const gained = before - pointsAt(2, task, (index) => wanted[index]!.after);
  const moves = isWorthIt(wanted, gained, parameters.min_gain) ? ordered.moves : [];
  const objective = objectiveOf(task, placementAfter(task, moves));
  const actions = explainMoves(model, task, moves);
  for (const { instance, to } of moves) model.move(instance, to);
  const after = pointsAt(2, task, (index) => objective[index]!.after);
  const levels = [0, 1].map((level) => pointsAt(level, task, (index) => objective[index]!.after));
  const { memory } = model.snapshot.instances;
  const movedGib = moves.reduce((sum, { instance }) => sum + (memory[instance] as number), 0) / 1024;
  const minutes = moves.reduce((sum, { instance }) => sum + seconds(instance), 0) / 60;
  return {
    actions,
    rank: [...levels, after, movedGib],
    endedBy: settled ? 'bound' : 'converged',
    points: { before, after },
    movedGib,
    after: model,
    cpu,
    report: {
      hosts: { considered: model.snapshot.hostInfo.length, eligible: acceptingHosts(model).length },
      instances: { considered: model.snapshot.instanceInfo.length, eligible: eligibleInstances(model, blocked) },
      blocked: blocked.counts(),
      emptyBecause: actions.length > 0 ? null : whyEmpty(settled, gained, parameters.min_gain),
      objective,
      gap: gapOf(objective),
      notes: [
        ...(actions.length > 0
          ? [
              `${counted(moves.length, 'migration')} of ${shortNumber(movedGib)} GiB, ${shortNumber(minutes)} minutes one after the other, ` +
                `take the aim from ${shortNumber(before)} to ${shortNumber(after)} points; no plan can be below 0`,
            ]
          : []),
        ...(ordered.dropped > 0
          ? [
              `${counted(ordered.dropped, 'migration')} of the best placement found no place in an order, or gained nothing there`,
            ]
          : []),
        ...notes,
      ],
    },
  };
}

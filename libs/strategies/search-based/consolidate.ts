import { counted } from '#libs/domain';
import { hostsInUseBound, mostEmptied } from '#libs/optimizer';
import type { StrategyVariant } from '#libs/plugin-kit';
import { acceptingHosts, shortNumber } from '../shared/hosts/rows.ts';
import { targetOf } from '../shared/hosts/target-utilization.ts';
import { reportObstacles } from '../shared/moves/empty-hosts.ts';
import { createBlockedTally } from '../shared/report/blocked-tally.ts';
import { type ConsolidationContext, emptiableHosts, occupiedHosts } from './consolidation-attempt.ts';
import { planWanted, searchSizes } from './consolidation-search.ts';
import { createEmptyingLoss, movedMib } from './emptying-loss.ts';
import { explainEmptying } from './explain-emptying.ts';
import { isMeasured, readLoads, unmeasuredHosts } from './loads.ts';
import { moveEffort, moveSeconds } from './move-seconds.ts';
import type { Optimized } from './optimize.ts';
import { budgetOf } from './parameters.ts';
import { type Relieve, relieveInPlan } from './relief-in-plan.ts';
import { choosePlan } from './sizes.ts';

/**
 * Lower bound of hosts in use for a budget (0: any), from three bounds: hosts for all allocations, hosts with pinned
 * instances, and hosts beyond the budget of migrations.
 */
function leastHosts(context: ConsolidationContext): (budget: number) => number {
  const { model, parameters } = context;
  const accepting = acceptingHosts(model);
  const inUse = occupiedHosts(context);
  const target = targetOf(parameters.target_utilization);
  const demands = (['vcpus', 'memory', 'disk'] as const).map((resource) => ({
    demand: inUse.reduce((sum, host) => sum + model.used(host)[resource], 0),
    // A host above the target may stay above it.
    capacities: [...accepting, ...inUse.filter((host) => model.enabled[host] !== 1)].map((host) =>
      Math.max(
        model.used(host)[resource],
        model.enabled[host] === 1 ? (model.capacity(host)[resource] * target[resource]) / 100 : 0,
      ),
    ),
  }));
  const mayLeave = (row: number) => model.immovable(row) === null;
  const free = emptiableHosts(context).filter(
    (host) => isMeasured(model, host) && model.instancesOn(host).every(mayLeave),
  );
  const counts = free.map((host) => model.instancesOn(host).length);
  const least = Math.max(hostsInUseBound(demands), inUse.length - free.length);
  return (budget) => {
    const reach = budget > 0 ? mostEmptied(counts, budget) : inUse.length;
    return Math.min(inUse.length, Math.max(least, inUse.length - reach));
  };
}

/** A plan of consolidation, and the counts for its goal. */
export interface Consolidated extends Omit<Optimized, 'after' | 'cpu' | 'newWorth'> {
  considered: number;
  /** Emptied hosts, without the hosts that the relief wakes. Not below 0. */
  freed: number;
  migrations: number;
}

function whyEmpty(settled: boolean, bound: number): string {
  if (settled) return `nothing can be gained: no plan needs fewer than ${counted(bound, 'host')}`;
  return 'no host can be emptied into the others within the requested limits';
}

/**
 * Searches for the plan that empties the most hosts with the least loss. Leaves the model of the context unchanged.
 * @param relieve the first part of the plan. The hosts of the relief are not emptied. Default: nothing is relieved
 */
export async function consolidate(given: ConsolidationContext, relieve?: Relieve): Promise<Consolidated> {
  const { metrics, replan } = given;
  const blocked = createBlockedTally();
  const { loads, model } = await readLoads(given.model, metrics, given.parameters, blocked);
  const accepting = acceptingHosts(model);
  const before = occupiedHosts({ ...given, model });
  const relief = relieveInPlan({ ...given, model }, relieve, blocked);
  const { context } = relief;
  const { parameters } = context;
  const occupied = occupiedHosts(context);
  const inUse = occupied.length;
  const boundOf = leastHosts(context);
  const least = boundOf(0);
  const pointsOf = (hosts: number) => (inUse > least ? (100 * (hosts - least)) / (inUse - least) : 0);
  const settled = boundOf(budgetOf(parameters)) >= inUse;
  const search = () =>
    replan === null ? searchSizes(context, loads, { boundOf, pointsOf }) : planWanted(context, loads, replan);
  const found = settled || relief.isSpent ? [] : search();
  const effortOf = (instance: number) => moveEffort(model, loads.cpu, instance);
  const secondsOf = (instance: number) => moveSeconds(context, instance);
  const sized = found.map((plan) => {
    const { freed, moves } = plan.emptied;
    const seconds = moves.reduce((sum, { instance }) => sum + secondsOf(instance), 0);
    return { ...plan, freed, moves, seconds, points: [0, 0], value: pointsOf(inUse - freed.length) };
  });
  const secondsBefore = relief.moves.reduce((sum, { instance }) => sum + secondsOf(instance), 0);
  const mostSeconds = (parameters.max_minutes ?? Number.POSITIVE_INFINITY) * 60;
  const short = sized.filter(({ seconds }) => secondsBefore + seconds <= mostSeconds);
  const chosen = choosePlan(short, parameters.choose, pointsOf(inUse));
  const { freed, moves, budget } = chosen ?? { freed: [], moves: [], budget: budgetOf(parameters) };
  const bound = boundOf(budget);
  const values = { loads, effortOf, pointsPerHost: pointsOf(inUse) - pointsOf(inUse - 1) };
  const variants = short
    .filter((plan) => plan.freed.length > 0)
    .map(
      (plan): StrategyVariant => ({
        budget: plan.budget > 0 ? relief.moves.length + plan.budget : 0,
        moves: relief.moves.length + plan.moves.length,
        gib: movedMib(model, [...relief.moves, ...plan.moves]) / 1024,
        seconds: secondsBefore + plan.seconds,
        value: plan.value,
        bound: pointsOf(boundOf(plan.budget)),
        chosen: plan === chosen,
        actions: [...relief.actions, ...explainEmptying(context, plan, values)],
      }),
    );
  const actions = variants.find((variant) => variant.chosen)?.actions ?? relief.actions;
  const obstacles = chosen === undefined ? [] : reportObstacles(chosen.task, chosen.emptied, blocked);
  const movedGib = movedMib(model, [...relief.moves, ...moves]) / 1024;
  const after = inUse - freed.length;
  return {
    actions,
    variants: replan === null ? variants : [],
    considered: new Set([...accepting, ...before]).size,
    freed: Math.max(0, freed.length - relief.woken),
    migrations: relief.moves.length + moves.length,
    movedGib,
    rank: [-freed.length, createEmptyingLoss(model, occupied).ofPlan({ freed, moves })],
    endedBy: settled || (freed.length > 0 && after <= bound) ? 'bound' : 'converged',
    leftAlone: unmeasuredHosts(model),
    points: { before: pointsOf(inUse), after: pointsOf(after) },
    report: {
      hosts: { considered: model.snapshot.hostInfo.length, eligible: accepting.length },
      instances: {
        considered: model.snapshot.instanceInfo.length,
        eligible: model.snapshot.instanceInfo.filter((_, row) => model.immovable(row) === null).length,
      },
      blocked: blocked.counts(),
      emptyBecause: actions.length > 0 ? null : whyEmpty(settled, bound),
      objective: [
        { level: 2, term: 'hosts_in_use', unit: 'hosts', before: before.length, after, bound },
        { level: 3, term: 'moved_memory', unit: 'GiB', before: 0, after: movedGib, bound: 0 },
      ],
      gap: settled || bound >= inUse ? 0 : (after - bound) / (inUse - bound),
      notes: [
        ...relief.notes,
        ...(freed.length > 0
          ? [
              `${counted(freed.length, 'host', ['is', 'are'])} emptied by ${counted(moves.length, 'migration')} of ${shortNumber(movedMib(model, moves) / 1024)} GiB`,
            ]
          : []),
        ...loads.notes,
        ...obstacles,
      ],
    },
  };
}

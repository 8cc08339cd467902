import type { WhatIf } from '#libs/cluster-model';
import {
  buildGroups,
  emptyHosts,
  mostEmptied,
  type Problem,
  sharedBytes,
  sharedFloats,
  sharedInts,
} from '#libs/optimizer';
import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { targetOf } from '../shared/hosts/target-utilization.ts';
import { type ConsolidationContext, emptiableHosts } from './consolidation-attempt.ts';
import { hotLimitsOf } from './hot-limits.ts';
import { type LimitedLoad, limitedLoads } from './hot-room.ts';
import { isMeasured, type Loads } from './loads.ts';

/** Fraction of the work for it. */
const workOfPacking = 0.3;

/** Hosts to empty, in order, and the hosts for their instances, by row. */
export interface Packing {
  order: number[];
  targets: ReadonlyMap<number, number>;
}

const kinds = ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const;

type Needs = ReturnType<WhatIf['needs']>;

/** Sum of the sizes of all instances of a host. */
function residentsOf(model: WhatIf, host: number): Needs {
  const sum = { vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 };
  for (const row of model.instancesOn(host)) {
    const needs = model.needs(row);
    for (const kind of kinds) sum[kind] += needs[kind];
  }
  return sum;
}

/**
 * Room for instances on every host up to the target and the hot limit. A host that accepts no instances only has room
 * for its current ones.
 */
function limitsOf({ model, parameters, relief }: ConsolidationContext, hot: readonly LimitedLoad[]): number[][] {
  const target = targetOf(parameters.target_utilization);
  return model.snapshot.hostInfo.map((_, host) => {
    const held = residentsOf(model, host);
    if (model.enabled[host] !== 1 || !isMeasured(model, host) || relief?.relieved.has(host) === true) {
      const loads = hot.map(({ use }) => model.instancesOn(host).reduce((sum, row) => sum + use[row]!, 0));
      return [...kinds.map((kind) => held[kind]), ...loads];
    }
    const capacity = model.capacity(host);
    const used = model.used(host);
    const within = (kind: 'vcpus' | 'memory' | 'disk') =>
      (capacity[kind] * target[kind]) / 100 - (used[kind] - held[kind]);
    return [
      within('vcpus'),
      held.dedicatedCpus + model.freeDedicatedCpus(host),
      within('memory'),
      within('disk'),
      ...hot.map(({ most }) => most[host]!),
    ];
  });
}

/** Room and load of the cloud as a problem for the optimizer. Other rules are checked while hosts are emptied. */
function packingProblem(context: ConsolidationContext, loads: Loads, budget: number) {
  const { model, parameters } = context;
  const hot = limitedLoads(model, loads, hotLimitsOf(parameters));
  const rows = Array.from(model.hostOf.keys()).filter((row) => (model.hostOf[row] as number) >= 0);
  const emptiable = new Set(emptiableHosts(context));
  const stays = model.snapshot.hostInfo.map(
    (_, host) => !emptiable.has(host) || !isMeasured(model, host) || holdsForeignAllocation(model, host),
  );
  const [hosts, items, columns] = [stays.length, rows.length, kinds.length + hot.length];
  const use = sharedFloats(items * columns);
  const home = sharedInts(items);
  const fixed = sharedBytes(items);
  const moveCost = sharedFloats(items);
  rows.forEach((row, item) => {
    const needs = model.needs(row);
    use.set([...kinds.map((kind) => needs[kind]), ...hot.map(({ use: own }) => own[row]!)], item * columns);
    home[item] = model.hostOf[row] as number;
    fixed[item] = stays[home[item]!] === true || model.immovable(row) !== null ? 1 : 0;
    // With a migration budget, hosts with the fewest migrations are the cheapest. Otherwise, hosts with the least
    // memory are.
    moveCost[item] = budget > 0 ? 1 + needs.memory / 2 ** 40 : needs.memory;
  });
  const problem: Problem = {
    hosts,
    items,
    columns,
    transientColumns: 0,
    prices: sharedFloats(columns),
    use,
    base: sharedFloats(hosts * columns),
    limit: Float64Array.from(limitsOf(context, hot).flat()),
    home,
    fixed,
    moveCost,
    classOf: sharedInts(hosts),
    classes: 1,
    distance: sharedFloats(1),
    groups: buildGroups({ groups: [] }, items, hosts),
    terms: null,
  };
  return { problem, rows };
}

/** The problem without the hosts that stay, and the number of other hosts that the budget (0: any) can empty. */
function withStaying(problem: Problem, staying: ReadonlySet<number>, budget: number) {
  const fixed = problem.fixed.map((own, item) => (staying.has(problem.home[item]!) ? 1 : own));
  const counts = new Map<number, number>();
  problem.home.forEach((host, item) => {
    counts.set(host, (counts.get(host) ?? 0) + (fixed[item] === 1 ? Number.POSITIVE_INFINITY : 1));
  });
  const reach = budget > 0 ? mostEmptied([...counts.values()], budget) : counts.size;
  return { open: { ...problem, fixed }, reach };
}

/**
 * Requests sets of at most `most` hosts that can be emptied together: the cheapest hosts whose instances find room on
 * the others. Hosts in `staying` only receive instances.
 */
export function createPacker(
  context: ConsolidationContext,
  loads: Loads,
  budget: number,
): (most: number, staying: ReadonlySet<number>) => Packing {
  const { problem, rows } = packingProblem(context, loads, budget);
  const { work } = context;
  const mayUse = work.total * workOfPacking;
  return (most, staying) => {
    let seen = 0;
    const { open, reach } = withStaying(problem, staying, budget);
    const plan = emptyHosts(open, {
      most: Math.min(most, reach),
      progress: (evaluations) => {
        const goesOn = work.spend(evaluations - seen);
        seen = evaluations;
        return goesOn ? seen / mayUse : 1;
      },
    });
    const moved = rows.flatMap((row, item): [number, number][] => {
      const to = plan.host[item]!;
      return to === problem.home[item] ? [] : [[row, to]];
    });
    return { order: plan.emptied, targets: new Map(moved) };
  };
}

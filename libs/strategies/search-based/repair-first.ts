import { brokenRules, type WhatIf } from '#libs/cluster-model';
import type { StrategyWork } from '#libs/plugin-kit';
import { hostAt, instanceAt } from '../shared/hosts/rows.ts';
import { targetOf } from '../shared/hosts/target-utilization.ts';
import type { ConsolidationContext } from './consolidation-attempt.ts';
import { type Optimized, optimize } from './optimize.ts';
import { targetTerm } from './target-term.ts';
import { type Resource, roomForInstances } from './terms.ts';

/** Fraction of the work of a consolidation for one search for a repair. There are up to two. */
const partOfWork = 0.2;
/** Smaller differences of points are rounding errors. */
const rounding = 1e-6;

/** A fraction of the remaining work. */
function limited(work: StrategyWork): StrategyWork {
  const most = work.spent + work.total * partOfWork;
  return Object.create(work, {
    spend: { value: (units: number) => work.spend(units) && work.spent < most },
    spent: { get: () => work.spent },
  }) as StrategyWork;
}

/** Whether the allocations of a host exceed its capacity. */
function isOverfull(model: WhatIf, host: number): boolean {
  const residents = model.instancesOn(host);
  return (['vcpus', 'memory', 'disk'] as Resource[]).some((resource) => {
    const need = residents.reduce((sum, row) => sum + model.needs(row)[resource], 0);
    return need > roomForInstances(model, host, resource);
  });
}

/** A repair, and the host of each instance after it. */
interface Repair {
  plan: Optimized;
  hostOf: Int32Array;
}

function moveTo(model: WhatIf, hostOf: Int32Array): void {
  hostOf.forEach((host, instance) => {
    if (model.hostOf[instance] !== host) model.move(instance, host);
  });
}

/**
 * Searches for a repair. Leaves the model unchanged.
 * @param fillsAny whether hosts may exceed the target
 * @param former a repair whose moves are tried first
 */
async function search(context: ConsolidationContext, fillsAny: boolean, former?: Repair): Promise<Repair> {
  const { model, parameters, work, past } = context;
  const target = targetOf(parameters.target_utilization);
  const isPacked = Math.min(target.vcpus, target.memory, target.disk) >= 100;
  const before = model.hostOf.slice();
  const moves = Array.from(former?.hostOf.keys() ?? []).filter((row) => former?.hostOf[row] !== before[row]);
  const open = moves.map((row) => ({
    instance: instanceAt(model.snapshot, row).uuid,
    host: hostAt(model.snapshot, former?.hostOf[row] as number).hostname,
  }));
  const plan = await optimize(
    {
      ...context,
      work: limited(work),
      past: open.length > 0 ? { ...past, open } : past,
      parameters: { ...parameters, effort: 'balanced', min_gain: 0, terms: { disabled_hosts: 'off' } },
    },
    { terms: (measured) => (isPacked ? [] : [targetTerm(measured, target, fillsAny)]) },
  );
  const hostOf = model.hostOf.slice();
  moveTo(model, before);
  return { plan, hostOf };
}

/** Points of the violations that remain. 0: all that can be repaired. */
const remaining = ({ plan }: Repair): number => plan.rank[0] as number;

/** The repair within the target, or one that exceeds it when that repairs more. */
async function bestRepair(context: ConsolidationContext): Promise<Repair> {
  const within = await search(context, false);
  if (remaining(within) <= rounding) return within;
  const beyond = await search(context, true, within);
  return remaining(beyond) < remaining(within) - rounding ? beyond : within;
}

/**
 * A plan that repairs current violations before anything else is improved: hard server groups, strict rules of the
 * operator, zones, aggregates, and hosts above their capacity. Hosts exceed the target only for repairs that are
 * impossible within it. Disabled hosts are unchanged. Null without violations, or when none can be repaired. The model
 * is then unchanged.
 */
export async function repairFirst(context: ConsolidationContext): Promise<Optimized | null> {
  const { model } = context;
  const isBroken = brokenRules(model).length > 0 || model.snapshot.hostInfo.some((_, host) => isOverfull(model, host));
  if (!isBroken) return null;
  const { plan, hostOf } = await bestRepair(context);
  if (!plan.report.objective?.some((term) => term.level === 0 && term.before - term.after > rounding)) return null;
  moveTo(model, hostOf);
  return plan;
}

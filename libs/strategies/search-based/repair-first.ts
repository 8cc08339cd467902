import { brokenRules, type WhatIf } from '#libs/cluster-model';
import type { StrategyWork } from '#libs/plugin-kit';
import type { ConsolidationContext } from './consolidation-attempt.ts';
import { type Optimized, optimize } from './optimize.ts';
import { type Resource, roomForInstances } from './terms.ts';

/** Fraction of the work of a consolidation for the search for a repair. */
const partOfWork = 0.3;

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

/**
 * A plan that repairs current violations before anything else is improved: hard server groups, strict rules of the
 * operator, zones, aggregates, and hosts above their capacity. Disabled hosts are unchanged. Null without violations,
 * or when none can be repaired. The model is then unchanged.
 */
export async function repairFirst(context: ConsolidationContext): Promise<Optimized | null> {
  const { model, parameters, work } = context;
  const isBroken = brokenRules(model).length > 0 || model.snapshot.hostInfo.some((_, host) => isOverfull(model, host));
  if (!isBroken) return null;
  const before = model.hostOf.slice();
  const repaired = await optimize(
    {
      ...context,
      work: limited(work),
      parameters: { ...parameters, effort: 'balanced', min_gain: 0, terms: { disabled_hosts: 'off' } },
    },
    { terms: () => [] },
  );
  if (repaired.report.objective?.some((term) => term.level === 0 && term.before - term.after > 1e-6)) return repaired;
  before.forEach((host, instance) => {
    if (model.hostOf[instance] !== host) model.move(instance, host);
  });
  return null;
}

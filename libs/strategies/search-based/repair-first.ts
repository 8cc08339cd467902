import { brokenRules, type WhatIf } from '#libs/cluster-model';
import type { StrategyWork } from '#libs/plugin-kit';
import type { ConsolidationContext } from './consolidation-attempt.ts';
import { type Optimized, optimize } from './optimize.ts';
import { type Resource, roomForInstances } from './terms.ts';

/** Part of the work of a consolidation that the search for a repair may use. */
const partOfWork = 0.3;

/** A part of the work that is left. */
function limited(work: StrategyWork): StrategyWork {
  const most = work.spent + work.total * partOfWork;
  return Object.create(work, {
    spend: { value: (units: number) => work.spend(units) && work.spent < most },
    spent: { get: () => work.spent },
  }) as StrategyWork;
}

/** Whether a host has more allocated than its capacity. */
function isOverfull(model: WhatIf, host: number): boolean {
  const residents = model.instancesOn(host);
  return (['vcpus', 'memory', 'disk'] as Resource[]).some((resource) => {
    const need = residents.reduce((sum, row) => sum + model.needs(row)[resource], 0);
    return need > roomForInstances(model, host, resource);
  });
}

/**
 * A plan that repairs current violations, before anything else is improved: hard server groups, strict rules of the
 * operator, zones, aggregates, and hosts above their capacity. Disabled hosts stay as they are. Null where nothing is
 * broken, or none of it can be repaired. Then the model is as before.
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

import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { acceptingHosts } from '../host-rows.ts';
import { optimize } from '../optimizing/optimize.ts';
import type { SearchParameters } from '../optimizing/parameters.ts';
import { balanceTerms } from '../optimizing/terms.ts';
import { balanceOptimizerParameters } from './parameters.ts';

/** Describes `balance_optimizer`. */
const balanceOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'balance_optimizer',
  displayName: 'Balance Optimizer',
  goal: 'workload_balancing',
  description:
    'Searches for the best balance of CPU load and memory that a number of migrations can bring, relieves hot hosts first, and tells how ' +
    'far the plan is from the best there is. Every part of the plan improves the balance, so it may be stopped at any time.',
  parameters: balanceOptimizerParameters,
  // Without measurements it counts allocations.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  replans: true,
  starts: 2,
};

/** Standard deviation of the CPU load of hosts, as a part of their size. */
function cpuDeviation(model: WhatIf, instancesOn: (host: number) => readonly number[], cpu: Float64Array): number {
  const sizes = totalCpus(model.snapshot);
  const shares = acceptingHosts(model).map((host) => {
    const size = sizes[host] as number;
    const load = instancesOn(host).reduce((sum, row) => sum + (cpu[row] as number), 0);
    return size > 0 ? load / size : 0;
  });
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / Math.max(1, shares.length));
}

/** Spreads CPU load and memory by search, within a number of migrations. */
export const balanceOptimizerStrategy: StrategyPlugin<SearchParameters> = {
  manifest: balanceOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const { model } = context;
    const residents = model.snapshot.hostInfo.map((_, host) => [...model.instancesOn(host)]);
    const { actions, variants, report, rank, endedBy, cpu } = await optimize(context, balanceTerms);
    return {
      actions,
      variants,
      rank,
      endedBy,
      report,
      indicators: {
        instance_migrations_count: actions.length,
        instances_count: model.snapshot.instanceInfo.length,
        standard_deviation_before_audit: cpuDeviation(model, (host) => residents[host] ?? [], cpu),
        standard_deviation_after_audit: cpuDeviation(model, model.instancesOn, cpu),
      },
    };
  },
};

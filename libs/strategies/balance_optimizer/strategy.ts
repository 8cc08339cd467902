import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { optimize } from '../search-based/optimize.ts';
import type { SearchParameters } from '../search-based/parameters.ts';
import { balanceTerms } from '../search-based/terms.ts';
import { acceptingHosts, shortNumber } from '../shared/hosts/rows.ts';
import { balanceOptimizerParameters } from './parameters.ts';

/** Describes `balance_optimizer`. */
const balanceOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'balance_optimizer',
  displayName: 'Balance Optimizer',
  goal: 'workload_balancing',
  description:
    'Searches for the best balance of CPU load and memory that a number of migrations can reach, relieves hot hosts first, and reports how ' +
    'far the plan is from the best there is. Every part of the plan improves the balance, so it may be stopped at any time.',
  parameters: balanceOptimizerParameters,
  // Without measurements it counts allocations.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  replans: true,
  readsPast: true,
  starts: 2,
};

/** Balanced quantities, by the name of their term: use by instance, size by host. */
interface Balanced {
  term: string;
  words: string;
  use: ArrayLike<number>;
  size: ArrayLike<number>;
}

/** Standard deviation of the use of hosts, as a part of their size. */
function deviationOf(
  model: WhatIf,
  { use, size }: Pick<Balanced, 'use' | 'size'>,
  instancesOn: (host: number) => readonly number[],
): number {
  const shares = acceptingHosts(model).map((host) => {
    const own = size[host] as number;
    const load = instancesOn(host).reduce((sum, row) => sum + (use[row] as number), 0);
    return own > 0 ? load / own : 0;
  });
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / Math.max(1, shares.length));
}

/** One number for all that is balanced: the root of the mean square. */
function together(deviations: readonly number[]): number {
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  return Math.sqrt(squares / Math.max(1, deviations.length));
}

/** Notes on every quantity that the plan makes worse: the price of its gains. */
function risesOf(balanced: readonly Balanced[], before: readonly number[], after: readonly number[]): string[] {
  return balanced.flatMap(({ words }, index) => {
    const [was, is] = [before[index]!, after[index]!];
    if (is <= was + 1e-6) return [];
    return [
      `the standard deviation of ${words} over the hosts rises from ${shortNumber(was, 4)} to ${shortNumber(is, 4)}: the other gains of the plan outweigh it`,
    ];
  });
}

/** Spreads CPU load and memory by search, within a number of migrations. */
export const balanceOptimizerStrategy: StrategyPlugin<SearchParameters> = {
  manifest: balanceOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters } = context;
    const residents = model.snapshot.hostInfo.map((_, host) => [...model.instancesOn(host)]);
    const { actions, variants, report, rank, endedBy, cpu } = await optimize(context, balanceTerms);
    const { hosts, instances } = model.snapshot;
    const balanced: Balanced[] = [
      { term: 'cpu_balance', words: 'CPU load', use: cpu, size: totalCpus(model.snapshot) },
      { term: 'memory_balance', words: 'memory', use: instances.memory, size: hosts.memory },
    ].filter(({ term }) => parameters.terms[term] !== 'off');
    const before = balanced.map((one) => deviationOf(model, one, (host) => residents[host] ?? []));
    const after = balanced.map((one) => deviationOf(model, one, model.instancesOn));
    return {
      actions,
      variants,
      rank,
      endedBy,
      report: { ...report, notes: [...report.notes, ...risesOf(balanced, before, after)] },
      indicators: {
        instance_migrations_count: actions.length,
        instances_count: model.snapshot.instanceInfo.length,
        standard_deviation_before_audit: together(before),
        standard_deviation_after_audit: together(after),
      },
    };
  },
};

import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { hotLimitsOf } from '../search-based/hot-limits.ts';
import { type Optimized, optimize, worthOfPlan } from '../search-based/optimize.ts';
import type { ReliefWorth } from '../search-based/relief-worth.ts';
import { balanceTerms, reliefTerms, urgentTerms } from '../search-based/terms.ts';
import { acceptingHosts, shortNumber } from '../shared/hosts/rows.ts';
import { worthNotes, worthSentence } from '../shared/moves/load-worth.ts';
import { type BalanceOptimizerParameters, balanceOptimizerParameters } from './parameters.ts';

/** Describes `balance_optimizer`. */
const balanceOptimizerManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'balance_optimizer',
  displayName: 'Balance Optimizer',
  goal: 'workload_balancing',
  description:
    'Relieves hot hosts with few migrations, to the hosts with the most headroom, and moves nothing while no ' +
    'host is near a limit. The preset even searches for the best balance of CPU load and memory within a number ' +
    'of migrations. It reports the distance of the plan to the best possible one. Every action of the plan is an ' +
    'improvement, so the plan may be stopped at any time.',
  parameters: balanceOptimizerParameters,
  // Without measurements, allocations are used.
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  replans: true,
  readsPast: true,
  urgentRules: urgentTerms,
  starts: 2,
};

/** Balanced quantities, by the name of their term: use by instance, size by host. */
interface Balanced {
  term: string;
  words: string;
  use: ArrayLike<number>;
  size: ArrayLike<number>;
}

/** Standard deviation of the use of hosts, as a fraction of their size. */
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

/** One number for all balanced quantities: the root mean square. */
function together(deviations: readonly number[]): number {
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  return Math.sqrt(squares / Math.max(1, deviations.length));
}

/** Notes on every quantity that the plan worsens. */
function risesOf(balanced: readonly Balanced[], before: readonly number[], after: readonly number[]): string[] {
  return balanced.flatMap(({ words }, index) => {
    const [was, is] = [before[index]!, after[index]!];
    if (is <= was + 1e-6) return [];
    return [
      `the standard deviation of ${words} over the hosts rises from ${shortNumber(was, 4)} to ${shortNumber(is, 4)}: the other gains of the plan outweigh it`,
    ];
  });
}

/** The moves of actions, by rows. */
function movesOf(model: WhatIf, actions: readonly ProposedAction[]) {
  return actions.map(({ inputParameters: input }) => ({
    instance: model.instanceRow(String(input.resource_id))!,
    from: model.hostRow(String(input.source_node))!,
    to: model.hostRow(String(input.destination_node))!,
  }));
}

/** Adds the benefit and the price of each migration to its reason. */
function withWorth(model: WhatIf, actions: readonly ProposedAction[], worth: ReliefWorth): ProposedAction[] {
  const moves = movesOf(model, actions);
  return actions.map((action, index) => {
    const summary = `${action.reason.summary}${worthSentence(worthOfPlan(worth, [moves[index]!]))}`;
    return { ...action, reason: { ...action.reason, summary } };
  });
}

/** Whether the plan lowers a risk or repairs a broken rule. */
function isUrgent({ report }: Optimized): boolean {
  return (report.objective ?? []).some(({ level, before, after }) => level < 2 && before - after > 1e-6);
}

function costNotes(optimized: Optimized): string[] {
  const { actions, movedGib } = optimized;
  if (actions.length === 0 || isUrgent(optimized)) return [];
  const [migrations, be] = [counted(actions.length, 'migration'), actions.length === 1 ? 'is' : 'are'];
  const cost = `${migrations} of ${shortNumber(movedGib)} GiB ${be}`;
  return [`no host is near a limit: ${cost} the cost of balance alone; preset relief moves nothing here`];
}

/** Finds the plan for the preset, and explains its benefit, and the cost of `even`. */
async function optimizeBy(context: Parameters<typeof optimize>[0], preset: BalanceOptimizerParameters['preset']) {
  const { model } = context;
  const limits = hotLimitsOf(context.parameters);
  const optimized = await optimize(
    context,
    preset === 'relief'
      ? { priced: true, terms: (scoped, loads) => reliefTerms(scoped, loads, limits) }
      : { terms: (scoped, { cpu }) => balanceTerms(scoped, cpu) },
  );
  const { actions, variants, report, newWorth } = optimized;
  const notes = [
    ...worthNotes(worthOfPlan(newWorth(), movesOf(model, actions)), actions.length),
    ...(preset === 'even' ? costNotes(optimized) : []),
  ];
  return {
    ...optimized,
    actions: withWorth(model, actions, newWorth()),
    variants: variants.map((variant) => ({ ...variant, actions: withWorth(model, variant.actions, newWorth()) })),
    report: { ...report, notes: [...report.notes, ...notes] },
  };
}

/** Relieves hot hosts, or balances CPU load and memory, by a search within a number of migrations. */
export const balanceOptimizerStrategy: StrategyPlugin<BalanceOptimizerParameters> = {
  manifest: balanceOptimizerManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters } = context;
    const residents = model.snapshot.hostInfo.map((_, host) => [...model.instancesOn(host)]);
    const { actions, variants, report, rank, endedBy, leftAlone, cpu } = await optimizeBy(context, parameters.preset);
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
      leftAlone,
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

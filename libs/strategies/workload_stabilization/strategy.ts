import { hostFlag, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type {
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyResult,
} from '#libs/plugin-kit';
import { hostAt, instanceAt, instanceLabel, loadName, shortNumber } from '../shared/hosts/rows.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import { isWorth, type MoveWorth, worthNotes } from '../shared/moves/load-worth.ts';
import { moveCost, tooDear } from '../shared/moves/move-cost.ts';
import { budgetNotes, isSpent } from '../shared/moves/shared-parameters.ts';
import { migrationsOfSwap, mostDetours, swapWay } from '../shared/moves/swaps.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import type { Search } from './best-move.ts';
import { bestSwap } from './best-swap.ts';
import { createCandidates } from './candidates.ts';
import { beginReason } from './explain.ts';
import { evaluationBudget, fullSearchStep, hasRoom, isSmallCluster } from './full-search.ts';
import { rememberSpread } from './hysteresis.ts';
import { createLoadTable, type LoadMetric, type LoadTable } from './load-table.ts';
import { type WorkloadStabilizationParameters, workloadStabilizationParameters } from './parameters.ts';
import { readLoads } from './read-loads.ts';
import { createRefusalMemo } from './refusal-memo.ts';
import { cycleChoice, retryChoice, sampledPass } from './sampled-search.ts';
import type { Move } from './worth.ts';
import { createWorth } from './worth.ts';

/** Manifest of `workload_stabilization`. */
const workloadStabilizationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'workload_stabilization',
  displayName: 'Workload stabilization',
  goal: 'workload_balancing',
  description:
    'Evens out CPU or memory load: when the standard deviation of the load over compute nodes exceeds a ' +
    'threshold, it migrates instances live, the most useful move first, until the deviation is halved and below ' +
    'the thresholds.',
  parameters: workloadStabilizationParameters,
  metrics: ['host_cpu_usage', 'instance_cpu_usage', 'instance_ram_usage', 'host_ram_usage'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};

/**
 * After a trigger, the spread is reduced to this fraction of its initial value, so that the next audit has nothing to
 * do.
 */
const wantedShare = 0.5;
/** Minimum gain of a move, as a fraction of an even share per host. */
const negligible = 0.05;

type Context = StrategyContext<WorkloadStabilizationParameters>;

function hostsInUse(model: WhatIf): number[] {
  return model.snapshot.hostInfo.flatMap((_, row) => {
    const up = ((model.snapshot.hosts.flags[row] as number) & hostFlag.up) !== 0;
    return up && model.enabled[row] === 1 ? row : [];
  });
}

function thresholdsOf(parameters: WorkloadStabilizationParameters): number[] {
  return [...new Set(parameters.metrics)].map((metric) => parameters.thresholds[metric] ?? 0.1);
}

/** Row of the first metric above its threshold, −1 when all are at or below. */
function firstAbove(table: LoadTable, thresholds: number[]): number {
  return thresholds.findIndex((threshold, metric) => table.deviation(metric) > threshold);
}

/** The best single moves, and exchanges of two instances when no single move is left. */
function* bestMoves(search: Search): Generator<Move> {
  let detours = 0;
  let isSwapping = false;
  for (;;) {
    const single = isSwapping ? null : fullSearchStep(search);
    const move = single ?? bestSwap(search, detours < mostDetours);
    if (move === null) return;
    if (single === null) {
      // After an exchange a single move may help again. This search is too expensive in a large cluster.
      isSwapping = !isSmallCluster(search);
      detours += Number(swapWay(search.model, move.instance, move.back as number)?.detour);
    }
    yield move;
  }
}

/** Yields the moves of the chosen search. The caller makes each move before the next. */
function* movesOf(search: Search, context: Context): Generator<Move> {
  const { host_choice: choice, retry_count: retries } = context.parameters;
  if (choice === 'fullsearch') {
    yield* bestMoves(search);
    return;
  }
  const { hosts } = search.table;
  const choose = choice === 'cycle' ? cycleChoice(hosts) : retryChoice(hosts, retries, context.random);
  for (let moved = true; moved; ) {
    moved = false;
    for (const move of sampledPass(search, choose)) {
      moved = true;
      yield move;
    }
  }
}

/** Costs relative to the mean cost of all instances, so that an expensive move must gain more. */
function relativeCost(model: WhatIf, metrics: LoadMetric[]): (instance: number) => number {
  const cpu = metrics.find(({ name }) => name === 'host_cpu_usage')?.use;
  const { vcpus } = model.snapshot.instances;
  const costs = Float64Array.from(vcpus, (count, instance) =>
    moveCost(model, instance, cpu === undefined ? 0 : ((cpu[instance] as number) / count) * 100),
  );
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / Math.max(1, costs.length);
  return (instance) => Math.max(1, (costs[instance] as number) / mean);
}

type Placed = Pick<Search, 'model' | 'table'>;

function toActions(search: Placed, metrics: LoadMetric[], move: Move, worth: MoveWorth): ProposedAction[] {
  const { instance, from, to, back } = move;
  const halves = back === undefined ? [move] : [move, { instance: back, from: to, to: from, back: instance }];
  return halves.map((half) => toAction(search, metrics, half, worth));
}

function toAction(
  { model, table }: Placed,
  metrics: LoadMetric[],
  move: Omit<Move, 'after'>,
  worth: MoveWorth,
): ProposedAction {
  const { snapshot } = model;
  const reason = beginReason(model, table, metrics, move, worth);
  model.move(move.instance, move.to);
  table.move(move.instance, move.from, move.to);
  const [source, destination] = [hostAt(snapshot, move.from), hostAt(snapshot, move.to)];
  const type = migrationTypeOf(snapshot, move.instance);
  return migrateAction(instanceAt(snapshot, move.instance), type, source, destination, reason.finish());
}

interface Balanced {
  actions: ProposedAction[];
  /** Number of moves that were found and gain too little. */
  dropped: number;
}

/** The plan for a metric that is above its threshold. */
function balance(context: Context, search: Search, metrics: LoadMetric[], trigger: number): Balanced {
  const { model, table, candidates, worth } = search;
  const thresholds = thresholdsOf(context.parameters);
  const start = rememberSpread(table, metrics, thresholds, trigger);
  const target = table.weighted() * wantedShare;
  const budget = context.parameters.migration_budget;
  const actions: ProposedAction[] = [];
  let migrations = 0;
  for (const move of movesOf(search, context)) {
    context.signal.throwIfAborted();
    migrations += move.back === undefined ? 1 : migrationsOfSwap(model, move.instance, move.back);
    if (isSpent(budget, migrations - 1)) return { actions, dropped: 0 };
    actions.push(...toActions(search, metrics, move, worth.ofMove(move)));
    candidates.taken(move.instance, move.from);
    search.memo.freed(move.from);
    if (move.back !== undefined) {
      candidates.taken(move.back, move.to);
      search.memo.freed(move.to);
    }
    if (firstAbove(table, thresholds) < 0 && table.weighted() <= target) return { actions, dropped: 0 };
    if (search.evaluated > evaluationBudget || isSpent(budget, migrations)) return { actions, dropped: 0 };
  }
  // The next audit continues after a budget. A search without a budget is complete.
  return start.isWorthwhile() ? { actions, dropped: 0 } : { actions: [], dropped: actions.length };
}

function movedRows(model: WhatIf, actions: readonly ProposedAction[]): number[] {
  return actions.map(({ inputParameters }) => model.instanceRow(String(inputParameters.resource_id))!);
}

function reportHostsWithoutMetric(model: WhatIf, hosts: number[], table: LoadTable, blocked: BlockedTally): void {
  const measured = new Set(table.hosts);
  for (const host of hosts) {
    if (!measured.has(host)) blocked.add('host-without-metric', hostAt(model.snapshot, host).hostname);
  }
}

/** Hosts below the mean that cannot accept more. */
function reportFullHosts(search: Search, blocked: BlockedTally): void {
  for (const host of search.table.hosts) {
    if (search.table.pressure(host) >= 0 || hasRoom(search, host)) continue;
    blocked.add('host-without-room', hostAt(search.model.snapshot, host).hostname);
  }
}

function describeSpread(table: LoadTable, metrics: LoadMetric[], thresholds: number[]): string {
  return metrics
    .map((metric, row) => {
      const [deviation, threshold] = [table.deviation(row), thresholds[row] ?? 0];
      return `${loadName(metric.name)} ${shortNumber(deviation, 4)} (threshold ${threshold})`;
    })
    .join(', ');
}

function whyEmpty(triggered: boolean, spread: string, movable: number, dropped: number): string {
  if (dropped > 0)
    return `${counted(dropped, 'migration')} would lower the spread by hardly more than noise does: ${spread}`;
  if (!triggered) return `the spread of the load is within its thresholds: ${spread}`;
  if (movable === 0) return 'no instance with a load may be moved';
  return `no feasible move or exchange lowers the spread noticeably: ${spread}`;
}

/**
 * Reduces the spread of CPU and memory load over hosts. Throws MetricsMissingError without any measurement, and
 * InvalidInputError for a host metric that does not exist.
 */
export const workloadStabilizationStrategy: StrategyPlugin<WorkloadStabilizationParameters> = {
  manifest: workloadStabilizationManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters } = context;
    const blocked = createBlockedTally();
    const metrics = await readLoads(model, context.metrics, parameters);
    const hosts = hostsInUse(model);
    const table = createLoadTable(metrics, hosts);
    reportHostsWithoutMetric(model, hosts, table, blocked);
    const candidates = createCandidates(model, metrics, table.hosts, blocked);
    const thresholds = thresholdsOf(parameters);
    const trigger = firstAbove(table, thresholds);
    const watched = Math.max(0, trigger);
    const before = table.deviation(watched);
    const worth = createWorth(model, table, metrics, thresholds);
    const count = countOnce(model.hostOf.length, (instance, constraint) =>
      blocked.add(constraint, instanceLabel(instanceAt(model.snapshot, instance))),
    );
    const search: Search = {
      ...{ model, table, worth },
      candidates,
      minimumGain: (table.weighted() * negligible) / Math.max(1, table.hosts.length),
      costOf: relativeCost(model, metrics),
      memo: createRefusalMemo(model),
      pays(move) {
        const pays = isWorth(worth.ofMove(move));
        if (!pays) count(move.instance, tooDear);
        return pays;
      },
      refused: count,
      evaluated: 0,
    };
    const spreadBefore = describeSpread(table, metrics, thresholds);
    const { actions, dropped } =
      trigger >= 0 ? balance(context, search, metrics, trigger) : { actions: [], dropped: 0 };
    if (trigger >= 0 && candidates.count > 0) reportFullHosts(search, blocked);
    const spread = actions.length > 0 ? describeSpread(table, metrics, thresholds) : spreadBefore;
    return {
      actions,
      indicators: {
        instance_migrations_count: actions.length,
        instances_count: model.snapshot.instanceInfo.length,
        standard_deviation_before_audit: before,
        standard_deviation_after_audit: actions.length > 0 ? table.deviation(watched) : before,
      },
      report: {
        hosts: { considered: model.snapshot.hostInfo.length, eligible: table.hosts.length },
        instances: { considered: model.snapshot.instanceInfo.length, eligible: candidates.count },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(trigger >= 0, spread, candidates.count, dropped),
        notes: [
          ...notesOf(search, actions.length, spread),
          ...worthNotes(worth.ofMade(movedRows(model, actions)), actions.length),
          ...budgetNotes(parameters.migration_budget, actions.length),
        ],
      },
    };
  },
};

/** Reports each pair of instance and constraint only once, because searches repeat the same checks. */
function countOnce(instances: number, count: Search['refused']): Search['refused'] {
  const known = new Map<string, Uint8Array>();
  return (instance, constraint) => {
    let seen = known.get(constraint);
    if (seen === undefined) {
      seen = new Uint8Array(instances);
      known.set(constraint, seen);
    }
    if (seen[instance] === 1) return;
    seen[instance] = 1;
    count(instance, constraint);
  };
}

function notesOf(search: Search, moves: number, spread: string): string[] {
  const notes = [
    `${counted(search.evaluated, 'move', ['was', 'were'])} judged; deviations that the plan leads to: ${spread}`,
  ];
  if (search.evaluated > evaluationBudget) notes.push(`the search ended at its budget after ${counted(moves, 'move')}`);
  return notes;
}

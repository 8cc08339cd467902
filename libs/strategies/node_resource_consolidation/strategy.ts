import { createWhatIf, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { acceptingHosts, hostAt, upHosts } from '../shared/hosts/rows.ts';
import { createAllocationTarget, targetOf } from '../shared/hosts/target-utilization.ts';
import { nameWhereNeeded } from '../shared/moves/free-choice.ts';
import { budgetNotes, mostMovesOf } from '../shared/moves/shared-parameters.ts';
import { readMeasuredUse, usualWindow } from '../shared/relief/measured-use.ts';
import { applyRelief, type PlannedRelief, relieveHot } from '../shared/relief/plan-relief.ts';
import { reliefRule } from '../shared/relief/relieve-overloaded.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { disabledTogether } from '../shared/reserve/failure-domains.ts';
import { disableForPlan, enableAfterPlan, migrateAll } from './explain.ts';
import { type Groups, groupHosts } from './group-hosts.ts';
import { type NodeResourceConsolidationParameters, nodeResourceConsolidationParameters } from './parameters.ts';

/** Manifest of `node_resource_consolidation`. */
const nodeResourceConsolidationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'node_resource_consolidation',
  displayName: 'Node Resource Consolidation strategy',
  goal: 'server_consolidation',
  description:
    'Moves instances from the compute nodes with the fewest allocated vcpus to those with the most. Where loads ' +
    'are measured, it relieves hosts whose load stays high, and fills no host above the target. The plan names ' +
    'the destinations, or Nova chooses them while emptied and free nodes are disabled.',
  parameters: nodeResourceConsolidationParameters,
  metrics: [],
  models: ['compute'],
  planner: 'node_resource_consolidation',
  needsCompleteModel: true,
  readsPast: true,
  urgentRules: [reliefRule],
};

function reportDownHosts(model: WhatIf, up: readonly number[], blocked: BlockedTally): void {
  const known = new Set(up);
  model.snapshot.hostInfo.forEach(({ hostname }, row) => {
    if (!known.has(row)) blocked.add('host-down', hostname);
  });
}

/**
 * The limits of the plan that a choice by Nova could break, as text. Undefined without any.
 * @param staysOpen whether an emptied host stays enabled, as the last one of its failure domain
 */
function limitsOf(
  model: WhatIf,
  parameters: NodeResourceConsolidationParameters,
  staysOpen: boolean,
): string | undefined {
  const limits = [
    ...(staysOpen ? ['the emptied hosts that stay enabled'] : []),
    ...((parameters.failure_reserve ?? 1) > 0 ? ['the reserve for failures'] : []),
    ...(createAllocationTarget(model, targetOf(parameters.target_utilization)).isPacked
      ? []
      : ['the target utilization']),
  ];
  return limits.length > 0 ? limits.join(' and ') : undefined;
}

/** @param model the state before the plan. The actions are applied to it */
function assemble(
  model: WhatIf,
  { groups, relief }: { groups: Groups; relief: PlannedRelief | null },
  parameters: NodeResourceConsolidationParameters,
): ProposedAction[] {
  const first = relief?.actions ?? [];
  if (relief !== null) applyRelief(model, relief);
  if (groups.sources.length === 0) return first;
  if (parameters.host_choice !== 'auto') return [...first, ...migrateAll(model, groups, true)];
  const emptied = groups.sources.map(({ host }) => host);
  const accepting = acceptingHosts(model);
  // Free hosts are part of the reserve. The plan then names the destinations, so free hosts are not chosen.
  const free = (parameters.failure_reserve ?? 1) > 0 ? [] : groups.free;
  const possible = disabledTogether(model.snapshot, accepting, [...emptied, ...free]);
  const disabled = [...free, ...emptied].filter((row) => model.enabled[row] === 1 && possible.includes(row));
  const staysOpen = emptied.some((row) => model.enabled[row] === 1 && !disabled.includes(row));
  const actions = [
    ...first,
    ...disableForPlan(model, disabled, new Set(free)),
    ...migrateAll(model, groups, false),
    ...enableAfterPlan(model, disabled),
  ];
  return nameWhereNeeded(model, actions, limitsOf(model, parameters, staysOpen));
}

function whyEmpty({ kept, notes }: Groups): string {
  if (kept > 0) return `only the requested reserve can be emptied: ${counted(kept, 'compute node')}`;
  const reserved = notes.length > 0 ? ', with the reserve for failures kept' : '';
  return `no compute node can be emptied into those with more allocated vcpus${reserved}`;
}

/** Empties hosts by allocations only. */
export const nodeResourceConsolidationStrategy: StrategyPlugin<NodeResourceConsolidationParameters> = {
  manifest: nodeResourceConsolidationManifest,
  async run({ model, metrics, parameters, past, signal }): Promise<StrategyResult> {
    const { snapshot } = model;
    const blocked = createBlockedTally();
    const up = upHosts(model);
    reportDownHosts(model, up, blocked);
    const measured = await readMeasuredUse(
      { model, metrics, parameters: { ...usualWindow, ...parameters } },
      up,
      blocked,
    );
    const movable = snapshot.instanceInfo.filter((_, row) => model.immovable(row) === null).length;
    const target = targetOf(parameters.target_utilization);
    const relief =
      measured &&
      relieveHot(model, measured, {
        ...{ target, blocked },
        failureReserve: parameters.failure_reserve ?? 1,
        mostMoves: mostMovesOf(parameters.migration_budget),
      });
    const groups = groupHosts(model, up, {
      blocked,
      parameters,
      use: measured?.use,
      relief,
      departed: new Set(Object.keys(past.departures)),
      signal,
    });
    const actions = assemble(createWhatIf(snapshot), { groups, relief }, parameters);
    const emptying = groups.sources.reduce((sum, { placements }) => sum + placements.length, 0);
    const moves = emptying + (relief?.moves.length ?? 0);
    const names = groups.sources.slice(0, 10).map(({ host }) => hostAt(snapshot, host).hostname);
    return {
      actions,
      indicators: {
        compute_nodes_count: snapshot.hostInfo.length,
        released_compute_nodes_count: Math.max(0, groups.sources.length - (relief?.woken.length ?? 0)),
        instance_migrations_count: moves,
      },
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: up.length },
        instances: { considered: snapshot.instanceInfo.length, eligible: movable },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(groups),
        notes: [
          ...(relief === null ? [] : [relief.note]),
          ...(names.length === 0
            ? []
            : [`${counted(groups.sources.length, 'host', ['is', 'are'])} emptied, such as ${names.join(', ')}`]),
          ...groups.notes,
          ...budgetNotes(parameters.migration_budget, moves),
        ],
      },
    };
  },
};

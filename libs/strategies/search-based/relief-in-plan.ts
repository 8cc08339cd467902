import type { WhatIf } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import { hostAt, instanceAt } from '../shared/hosts/rows.ts';
import { targetOf } from '../shared/hosts/target-utilization.ts';
import { mostMovesOf } from '../shared/moves/shared-parameters.ts';
import type { FinalMove } from '../shared/relief/explain-moves.ts';
import type { KnownUse } from '../shared/relief/measured-use.ts';
import { type PlannedRelief, relieveHot, revertRelief } from '../shared/relief/plan-relief.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { ConsolidationContext } from './consolidation-attempt.ts';
import { budgetOf, type ConsolidationParameters, reserveOf } from './parameters.ts';

/** Relieves hot hosts of the model before it frees hosts, with at most `mostMoves` migrations. Null without any. */
export type Relieve = (model: WhatIf, mostMoves: number, blocked: BlockedTally) => PlannedRelief | null;

/** The relief of a plan, and the conditions of the rest of the plan. Without a relief, all parts are empty. */
export interface ReliefInPlan {
  /** The model after the relief, and the rest of the budget. */
  context: ConsolidationContext;
  actions: ProposedAction[];
  moves: FinalMove[];
  /** Number of hosts that it enables. */
  woken: number;
  /** Whether no migration of the budget is left. */
  isSpent: boolean;
  notes: string[];
}

/**
 * Relieves hosts whose load stays high, by these measurements. A plan that is planned again has only the moves that it
 * had.
 */
export function relieveFirst(
  { model: { snapshot }, parameters, replan }: ConsolidationContext,
  measured: KnownUse,
): Relieve {
  const wanted = new Set(replan?.map(({ instance, host }) => `${instance} ${host}`));
  const isWanted = ({ instance, to }: FinalMove) =>
    wanted.has(`${instanceAt(snapshot, instance).uuid} ${hostAt(snapshot, to).hostname}`);
  return (model, mostMoves, blocked) => {
    const target = targetOf(parameters.target_utilization);
    const relief = relieveHot(model, measured, { target, failureReserve: reserveOf(parameters), mostMoves, blocked });
    if (relief === null || replan === null || relief.moves.every(isWanted)) return relief;
    revertRelief(model, measured.use, relief);
    return null;
  };
}

/** The rest of the budget after `used` migrations. The budget is above it, or there is none. */
function withoutUsed(parameters: ConsolidationParameters, used: number): ConsolidationParameters {
  const budget = budgetOf(parameters);
  return budget === 0 || used === 0 ? parameters : { ...parameters, max_moves: budget - used, migration_budget: 0 };
}

/** Gain of all migrations of a relief, in points: a whole risk, which precedes all aims. */
const gainOfRelief = 1e5;

/** Relieves hot hosts in the model of the context. */
export function relieveInPlan(
  context: ConsolidationContext,
  relieve: Relieve | undefined,
  blocked: BlockedTally,
): ReliefInPlan {
  const budget = budgetOf(context.parameters);
  const relief = relieve?.(context.model, mostMovesOf(budget), blocked) ?? null;
  if (relief === null) return { context, actions: [], moves: [], woken: 0, isSpent: false, notes: [] };
  const { moves, woken, note } = relief;
  const isSpent = budget > 0 && moves.length >= budget;
  const parameters = isSpent ? context.parameters : withoutUsed(context.parameters, moves.length);
  return {
    context: { ...context, parameters, relief },
    actions: relief.actions.map((action) => ({ ...action, gain: gainOfRelief / moves.length })),
    moves,
    woken: woken.length,
    isSpent,
    notes: [note],
  };
}

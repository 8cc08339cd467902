import type { WhatIf } from '#libs/cluster-model';
import type { Candidates } from './candidates.ts';
import type { LoadTable } from './load-table.ts';
import type { RefusalMemo } from './refusal-memo.ts';
import type { Move, Worth } from './worth.ts';

/** State of the search for all ways of choosing. */
export interface Search {
  model: WhatIf;
  table: LoadTable;
  candidates: Candidates;
  /** Minimum reduction of the weighted deviation by a move, before multiplying by the cost of the instance. */
  minimumGain: number;
  /** Cost of moving an instance, relative to the mean cost. At least 1. */
  costOf(instance: number): number;
  worth: Worth;
  /** Whether a move avoids more than it costs. Otherwise counts the instance as blocked. */
  pays(move: Omit<Move, 'after'>): boolean;
  /** Known refusals. Must be called for every move. */
  memo: RefusalMemo;
  /** Receives every better destination that a constraint refused. */
  refused(instance: number, constraint: string): void;
  /** Number of evaluated pairs. */
  evaluated: number;
}

/** Cost of breaking one more pair of a soft server group, as a multiple of the minimum gain of a move. */
export const pricePerPair = 5;

/** The destination with which the instance lowers the deviation furthest below `limit`, or null. */
function bestDestination(
  search: Search,
  instance: number,
  from: number,
  destinations: readonly number[],
  limit: number,
): Move | null {
  const { model, table } = search;
  let best: Move | null = null;
  let lowest = limit;
  let brokenNow: number | undefined;
  const spreadOn = table.weightedAfterLeaving(instance, from);
  const known = search.memo.of(instance);
  for (const to of destinations) {
    if (to === from || known?.[to] === 1) continue;
    const spread = spreadOn(to);
    if (spread >= lowest) continue;
    brokenNow ??= model.softCost(instance, from);
    const broken = Math.max(0, model.softCost(instance, to) - brokenNow);
    const after = spread + broken * pricePerPair * search.minimumGain;
    if (after >= lowest) continue;
    const refusal = model.refusal(instance, to);
    if (refusal === null) {
      lowest = after;
      best = { instance, from, to, after };
    } else {
      if (known !== null) known[to] = 1;
      search.refused(instance, refusal);
    }
  }
  return best;
}

/** The best feasible move between the given hosts, or null when none gains enough. On a tie the first one wins. */
export function bestMove(search: Search, sources: readonly number[], destinations: readonly number[]): Move | null {
  let best: Move | null = null;
  const now = search.table.weighted();
  let limit = now - search.minimumGain;
  const leastAfter = search.table.leastAfterLeaving(destinations);
  for (const from of sources) {
    const instances = search.candidates.on(from);
    for (const instance of instances) {
      const affordable = Math.min(limit, now - search.minimumGain * search.costOf(instance));
      if (leastAfter(instance, from) >= affordable) continue;
      const move = bestDestination(search, instance, from, destinations, affordable);
      if (move === null || !search.pays(move)) continue;
      limit = move.after;
      best = move;
    }
    search.evaluated += instances.length * destinations.length;
  }
  return best;
}

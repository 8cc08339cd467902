import type { WhatIf } from '#libs/cluster-model';
import type { RandomSource } from '#libs/domain';
import type { StrategyWork } from '#libs/plugin-kit';
import { Descent } from './descent.ts';
import type { PlacementTask } from './placement-task.ts';

/** So many attempts in vain end the search: what chance could find easily is found. */
const patience = 40;
/** Part of the moves that an attempt takes back at most. */
const largestPart = 0.5;

/** Where every item is to go; `value` is the cost of that, migrations included. */
export interface Found {
  host: Int32Array;
  value: number;
}

/**
 * Searches for the best placement with at most `mostMoves` instances away from where they are (0: any number): steepest descent, then again and
 * again some moves are taken back by chance and others found, until nothing better turns up or the work is done. The model is left as it was.
 */
export function searchPlacement(
  model: WhatIf,
  task: PlacementTask,
  { work, random, mostMoves }: { work: StrategyWork; random: RandomSource; mostMoves: number },
): Found {
  const descent = new Descent(model, task, work, mostMoves);
  const { placement } = descent;
  let goesOn = descent.run();
  let best: Found = { host: placement.host.slice(), value: placement.objective() };
  const tell = () => work.report({ value: best.value, moves: placement.awayCount });
  tell();
  for (let vain = 0; goesOn && vain < patience && placement.awayCount > 0; vain += 1) {
    takeBack(descent, random);
    goesOn = descent.run();
    const value = placement.objective();
    if (value < best.value - Math.abs(best.value) * 1e-12) {
      best = { host: placement.host.slice(), value };
      vain = -1;
      tell();
    } else {
      restore(descent, best.host);
    }
  }
  restore(descent, task.problem.home);
  return best;
}

/** Sends some of the moved instances home, as far as the model lets them. */
function takeBack(descent: Descent, random: RandomSource): void {
  const { placement } = descent;
  const away = placement.awayItems.slice(0, placement.awayCount);
  const part = random() * largestPart;
  let isAnyBack = false;
  for (const [index, item] of away.entries()) {
    const isLast = index === away.length - 1;
    if (random() >= part && !(isLast && !isAnyBack)) continue;
    const home = placement.problem.home[item]!;
    if (!descent.admits(item, home)) continue;
    descent.move(item, home);
    isAnyBack = true;
  }
}

/** Puts every item where it is in a placement that was possible before; nothing is asked. */
function restore(descent: Descent, host: Int32Array): void {
  host.forEach((to, item) => {
    if (descent.placement.host[item] !== to) descent.move(item, to);
  });
}

import type { Neighbourhood } from './neighbourhood.ts';

/**
 * Replaces one move by another: `returning` goes home and `item` goes to `to`, kept if the cost rises by at most
 * `threshold`. The number of items off their homes stays, so that a budget of moves is kept.
 */
export function tryReplace(
  around: Neighbourhood,
  returning: number,
  item: number,
  to: number,
  threshold: number,
): boolean {
  const { placement, problem } = around;
  const away = placement.host[returning]!;
  const home = problem.home[returning]!;
  const from = placement.host[item]!;
  if (returning === item || away === home || from !== problem.home[item] || from === to) return false;
  around.evaluations += 1;
  if (placement.costWith(home, returning, Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY) return false;
  if (!placement.admits(returning, home, -1)) return false;
  const first = placement.move(returning, home);
  const fits = placement.costWith(to, item, Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY;
  if (fits && placement.admits(item, to, -1)) {
    if (first + placement.move(item, to) <= threshold) return true;
    placement.move(item, from);
  }
  placement.move(returning, away);
  return false;
}

import type { Placement } from '../kernel/placement.ts';
import type { Neighbourhood } from './neighbourhood.ts';

const mostEvicted = 24;
const randomTargets = 4;

/** Moves that are all undone unless they reduce the cost enough. */
class Journal {
  private readonly placement: Placement;
  private readonly items: number[] = [];
  private readonly origins: number[] = [];
  change = 0;

  constructor(placement: Placement) {
    this.placement = placement;
  }

  move(item: number, to: number): void {
    this.items.push(item);
    this.origins.push(this.placement.host[item]!);
    this.change += this.placement.move(item, to);
  }

  undo(): void {
    for (let at = this.items.length - 1; at >= 0; at -= 1) this.placement.move(this.items[at]!, this.origins[at]!);
  }
}

/**
 * Forces `item` onto `to`: other items leave until it fits, and further items leave while this reduces the cost. The
 * result is kept if the cost increases by at most `threshold`, and otherwise completely undone.
 */
export function tryRearrange(around: Neighbourhood, item: number, to: number, threshold: number): boolean {
  const { placement } = around;
  const from = placement.host[item]!;
  if (from === to || !placement.admits(item, to, -1)) return false;
  around.evaluations += 1;
  const journal = new Journal(placement);
  journal.move(item, to);
  const fits = makeRoom(around, journal, item, from);
  if (fits) leaveWhilePaying(around, journal, item, from);
  if (fits && journal.change <= threshold) return true;
  journal.undo();
  return false;
}

function makeRoom(around: Neighbourhood, journal: Journal, item: number, from: number): boolean {
  const { placement } = around;
  const host = placement.host[item]!;
  for (let evicted = 0; evicted < mostEvicted; evicted += 1) {
    const lacking = lackingColumn(placement, host);
    if (lacking < 0) return true;
    const leaver = holderOf(around, host, lacking, item);
    if (leaver < 0) return false;
    const target = bestTarget(around, leaver, from, Number.POSITIVE_INFINITY);
    if (target < 0) return false;
    journal.move(leaver, target);
  }
  return false;
}

function leaveWhilePaying(around: Neighbourhood, journal: Journal, item: number, from: number): void {
  const host = around.placement.host[item]!;
  for (let tries = 0; tries < 8; tries += 1) {
    const leaver = around.residentOf(host);
    if (leaver < 0) return;
    const target = leaver === item ? -1 : bestTarget(around, leaver, from, 0);
    if (target >= 0) journal.move(leaver, target);
  }
}

/** The column with the greatest relative excess above its limit. -1: none. */
function lackingColumn(placement: Placement, host: number): number {
  const { columns } = placement.problem;
  let worst = 0;
  let column = -1;
  for (let k = 0; k < placement.limitedColumns; k += 1) {
    const row = host * placement.stride + k;
    const limit = placement.rows[row + columns]!;
    const over = placement.rows[row]! - limit;
    const part = over / (Math.abs(limit) + 1);
    if (over <= 0 || part <= worst) continue;
    worst = part;
    column = k;
  }
  return column;
}

/** The resident with the greatest use of a column among some residents, without `item`. */
function holderOf(around: Neighbourhood, host: number, column: number, item: number): number {
  const { columns, use, home, transientColumns } = around.problem;
  const { stuck } = around.placement;
  let most = 0;
  let holder = -1;
  for (let tries = 0; tries < 4; tries += 1) {
    const resident = around.residentOf(host);
    if (resident < 0 || resident === item || stuck[resident] === 1) continue;
    if (column < transientColumns && home[resident] === host) continue;
    if (use[resident * columns + column]! <= most) continue;
    most = use[resident * columns + column]!;
    holder = resident;
  }
  return holder;
}

/** Cheapest of `from`, the item's home and some random hosts, if the cost increases by less than `most`. -1: none. */
function bestTarget(around: Neighbourhood, item: number, from: number, most: number): number {
  const { placement } = around;
  const host = placement.host[item]!;
  const gain = placement.costOf(host) - placement.costWithout(host, item) + placement.priceAway(item, host);
  let best = most;
  let target = -1;
  for (let at = 0; at < randomTargets + 2; at += 1) {
    const to = at === 0 ? around.problem.home[item]! : at === 1 ? from : around.anyHost();
    if (to === host) continue;
    around.evaluations += 1;
    const price = placement.priceAway(item, to) - gain - placement.costOf(to);
    const change = placement.costWith(to, item, Number.POSITIVE_INFINITY) + price;
    if (change >= best || !placement.admits(item, to, -1)) continue;
    best = change;
    target = to;
  }
  return target;
}

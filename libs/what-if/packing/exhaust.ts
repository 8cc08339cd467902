import type { Steps } from '../steps.ts';
import { createPacking, type Packing, reachesOf, sizesOf } from './packing.ts';
import { type PackingProblem, width } from './packing-problem.ts';

/** Items of a search at most: more never end within a limit. */
const mostItems = 2000;

/** `null`: no packing exists. `limit`: the search ended before it knew. */
export type Exhausted = Packing | null | 'limit';

/**
 * Tries every packing that differs from the others by more than names, the items with few hosts first.
 * @param work pairs of item and host that it may try
 */
export function* exhaust(problem: PackingProblem, work: number): Steps<Exhausted> {
  const { items, hosts, classOf } = problem;
  if (items.length > mostItems) return 'limit';
  const sizes = sizesOf(problem);
  const reaches = reachesOf(problem);
  const order = [...items.keys()].sort(
    (a, b) =>
      (reaches[a] as number) - (reaches[b] as number) ||
      (sizes[b] as number) - (sizes[a] as number) ||
      (classOf[a] as number) - (classOf[b] as number),
  );
  const packing = createPacking(problem);
  const signatures = signaturesOf(problem);
  const left = new Float64Array(width);
  for (const item of items.keys()) addNeeds(problem, left, item, 1);
  /** Of each depth the hosts that are left to try. */
  const open: number[][] = [];
  let done = 0;
  let sinceYield = 0;

  function candidates(depth: number): number[] {
    const item = order[depth] as number;
    const before = order[depth - 1];
    const isTwin = before !== undefined && classOf[item] !== -1 && classOf[item] === classOf[before];
    const first = isTwin ? (packing.hostOf[before as number] as number) : 0;
    const isPlain = (problem.groupOf[item] as number) < 0 && !problem.apart.has(item);
    const seen = new Set<string>();
    const found: number[] = [];
    for (let host = first; host < hosts.length; host++) {
      if (!packing.fits(item, host)) continue;
      // An unused host stands for all that equal it. A twin may return to the host of the one before.
      if (isPlain && packing.on(host).length === 0) {
        const signature = signatures[host] as string;
        if (seen.has(signature)) continue;
        seen.add(signature);
      }
      found.push(host);
    }
    return found.reverse();
  }

  open.push(order.length === 0 ? [] : candidates(0));
  if (order.length === 0) return packing;
  for (;;) {
    const depth = open.length - 1;
    const item = order[depth] as number;
    if (packing.hostOf[item] !== -1) {
      packing.take(item);
      addNeeds(problem, left, item, 1);
    }
    const host = open[depth]?.pop();
    if (host === undefined) {
      open.pop();
      if (open.length === 0) return null;
      continue;
    }
    packing.put(item, host);
    addNeeds(problem, left, item, -1);
    if (depth + 1 === order.length) return packing;
    done += hosts.length;
    sinceYield += hosts.length;
    if (done > work) return 'limit';
    if (sinceYield > 50_000) {
      sinceYield = 0;
      yield;
    }
    open.push(hasRoom(packing, left) ? candidates(depth + 1) : []);
  }
}

function addNeeds({ needs }: PackingProblem, sums: Float64Array, item: number, sign: 1 | -1): void {
  for (let column = 0; column < width; column++)
    sums[column] = (sums[column] as number) + sign * (needs[item * width + column] as number);
}

/** Whether the free room of all hosts together suffices for the items that are left. */
function hasRoom({ free }: Packing, left: Float64Array): boolean {
  for (let column = 0; column < width; column++) {
    let sum = 0;
    for (let cell = column; cell < free.length; cell += width) sum += Math.max(0, free[cell] as number);
    if ((left[column] as number) > sum + 1e-3) return false;
  }
  return true;
}

/** Hosts with equal texts take the same items: equal room, reach and places of groups. */
function signaturesOf({ hosts, free, reach, caps }: PackingProblem): string[] {
  const rows = [...new Set(reach)];
  return hosts.map((_, host) => {
    const room = [...free.subarray(host * width, (host + 1) * width)].join();
    return `${room} ${rows.map((row) => row[host]).join('')} ${caps.map((cap) => cap[host]).join()}`;
  });
}

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
  const { items, hosts } = problem;
  if (items.length > mostItems) return 'limit';
  const packing = createPacking(problem);
  if (items.length === 0) return packing;
  const order = orderOf(problem);
  const candidates = createCandidates(problem, packing, order);
  const left = new Float64Array(width);
  for (const item of items.keys()) addNeeds(problem, left, item, 1);
  /** Of each depth the hosts that are left to try. */
  const open: number[][] = [candidates(0)];
  let done = 0;

  /** Tries the next host of the deepest item. False when none is left there. */
  function advance(): boolean {
    const depth = open.length - 1;
    const item = order[depth] as number;
    if (packing.hostOf[item] !== -1) {
      packing.take(item);
      addNeeds(problem, left, item, 1);
    }
    const host = open[depth]?.pop();
    if (host === undefined) return false;
    packing.put(item, host);
    addNeeds(problem, left, item, -1);
    return true;
  }

  for (let visits = 1; open.length > 0; visits++) {
    if (!advance()) {
      open.pop();
      continue;
    }
    if (open.length === order.length) return packing;
    done += hosts.length;
    if (done > work) return 'limit';
    if (visits % yieldEvery === 0) yield;
    open.push(hasRoom(packing, left) ? candidates(open.length) : []);
  }
  return null;
}

/** Visits between two yields. */
const yieldEvery = 500;

/** Items with few hosts first, then large ones. Those of a class follow each other. */
function orderOf(problem: PackingProblem): number[] {
  const sizes = sizesOf(problem);
  const reaches = reachesOf(problem);
  return [...problem.items.keys()].sort(
    (a, b) =>
      (reaches[a] as number) - (reaches[b] as number) ||
      (sizes[b] as number) - (sizes[a] as number) ||
      (problem.classOf[a] as number) - (problem.classOf[b] as number),
  );
}

/** The hosts to try for the item of a depth, the last one first. Equal ones are tried once. */
function createCandidates(problem: PackingProblem, packing: Packing, order: readonly number[]) {
  const { hosts, classOf, groupOf, apart } = problem;
  const signatures = signaturesOf(problem);

  /** Items of a class keep the order of their hosts. */
  function firstHost(depth: number): number {
    const [before, item] = [order[depth - 1], order[depth] as number];
    const isTwin = before !== undefined && classOf[item] !== -1 && classOf[item] === classOf[before];
    return isTwin ? (packing.hostOf[before] as number) : 0;
  }

  return (depth: number): number[] => {
    const item = order[depth] as number;
    const isPlain = (groupOf[item] as number) < 0 && !apart.has(item);
    const seen = new Set<string>();
    /** An unused host stands for all that equal it. */
    const isKnown = (host: number) => {
      if (!isPlain || packing.on(host).length > 0) return false;
      const signature = signatures[host] as string;
      if (seen.has(signature)) return true;
      seen.add(signature);
      return false;
    };
    const found: number[] = [];
    for (let host = firstHost(depth); host < hosts.length; host++)
      if (packing.fits(item, host) && !isKnown(host)) found.push(host);
    return found.reverse();
  };
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

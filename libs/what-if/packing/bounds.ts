import type { Steps } from '../steps.ts';
import { type PackingProblem, type Resource, resources, tolerance, width } from './packing-problem.ts';

/** Items that cannot all find room, in any places. */
export interface Shortage {
  resource: Resource | 'group';
  /** Items of the proof. */
  items: number;
  hosts: number;
  /** Of the resource, or places of a size, or members of the group. */
  needed: number;
  available: number;
  /** Amount of the resource that each of the items needs at least. Null: amounts are compared. */
  each: number | null;
}

/** Sizes of one resource that are compared, and sets of hosts. */
const most = { sizes: 24, sets: 64 };

/**
 * A proof that the items do not fit, or null. For each set of hosts that items are limited to, it compares their
 * amounts with the free room, their number with the places of their size, and members of groups with the places of the
 * group.
 */
export function* findShortage(problem: PackingProblem): Steps<Shortage | null> {
  const { reach } = problem;
  const distinct = [...new Set(reach)];
  const union = new Uint8Array(problem.hosts.length);
  for (const row of distinct) for (const [host, bit] of row.entries()) if (bit === 1) union[host] = 1;
  for (const set of [union, ...distinct.slice(0, most.sets)]) {
    const isWithin = new Map(distinct.map((row) => [row, row.every((bit, host) => bit === 0 || set[host] === 1)]));
    const items = [...problem.items.keys()].filter((item) => isWithin.get(reach[item] as Uint8Array) === true);
    const hosts = [...problem.hosts.keys()].filter((host) => set[host] === 1);
    for (const [column, resource] of resources.entries()) {
      const found = ofAmounts(problem, { items, hosts, column }) ?? ofPlaces(problem, { items, hosts, column });
      if (found !== null) return { resource, items: items.length, hosts: hosts.length, ...found };
    }
    const group = ofGroups(problem, items, hosts);
    if (group !== null) return { resource: 'group', items: items.length, hosts: hosts.length, each: null, ...group };
    yield;
  }
  return null;
}

interface Part {
  items: readonly number[];
  hosts: readonly number[];
  column: number;
}

type Found = Pick<Shortage, 'needed' | 'available' | 'each'>;

function ofAmounts({ needs, free }: PackingProblem, { items, hosts, column }: Part): Found | null {
  let needed = 0;
  for (const item of items) needed += needs[item * width + column] as number;
  let available = 0;
  for (const host of hosts) available += Math.max(0, free[host * width + column] as number);
  return needed > available + tolerance ? { needed, available: Math.floor(available), each: null } : null;
}

/** Items of at least a size against the places of that size. */
function ofPlaces({ needs, free }: PackingProblem, { items, hosts, column }: Part): Found | null {
  const amounts = items.map((item) => needs[item * width + column] as number).filter((need) => need > 0);
  const sizes = [...new Set(amounts)].sort((a, b) => b - a).slice(0, most.sizes);
  for (const size of sizes) {
    const needed = amounts.filter((amount) => amount >= size).length;
    let available = 0;
    for (const host of hosts) available += Math.max(0, Math.floor((free[host * width + column] as number) / size));
    if (needed > available) return { needed, available, each: size };
  }
  return null;
}

function ofGroups(
  { groupOf, caps }: PackingProblem,
  items: readonly number[],
  hosts: readonly number[],
): Pick<Shortage, 'needed' | 'available'> | null {
  const members = new Map<number, number>();
  for (const item of items) {
    const group = groupOf[item] as number;
    if (group >= 0) members.set(group, (members.get(group) ?? 0) + 1);
  }
  for (const [group, needed] of members) {
    let available = 0;
    for (const host of hosts) available += Math.max(0, caps[group]?.[host] as number);
    if (needed > available) return { needed, available };
  }
  return null;
}

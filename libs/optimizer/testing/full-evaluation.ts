import type { Problem } from '../problem/problem.ts';

/** Cost of a placement and the rules that it breaks, written down from the definition and slowly. */
export interface FullEvaluation {
  cost: number;
  broken: string[];
}

export function evaluateFully(problem: Problem, host: ArrayLike<number>): FullEvaluation {
  const items = Array.from({ length: problem.items }, (_, item) => item);
  const hosts = Array.from({ length: problem.hosts }, (_, index) => index);
  const columns = Array.from({ length: problem.columns }, (_, k) => k);
  const at = (item: number) => host[item]!;
  const broken: string[] = [];
  let cost = 0;
  for (const h of hosts)
    for (const k of columns) {
      const here = items.filter((item) => at(item) === h);
      const gone = items.filter((item) => at(item) !== h && problem.home[item] === h);
      const sum = (list: number[]) => list.reduce((total, item) => total + problem.use[item * problem.columns + k]!, 0);
      const x = problem.base[h * problem.columns + k]! + sum(here);
      const held = k < problem.transientColumns ? sum(gone) : 0;
      cost += problem.prices[k]! * Math.max(0, x);
      if (x + held > problem.limit[h * problem.columns + k]!) broken.push(`host ${h} lacks room in column ${k}`);
    }
  for (const item of items.filter((one) => at(one) !== problem.home[one])) {
    if (problem.fixed[item] === 1) broken.push(`item ${item} is fixed`);
    const classOf = (h: number) => problem.classOf[h]!;
    const from = classOf(problem.home[item]!);
    cost += problem.moveCost[item]! + problem.distance[from * problem.classes + classOf(at(item))]!;
  }
  return {
    cost: cost + groupCost(problem, at) + termCost(problem, at),
    broken: [...broken, ...brokenGroups(problem, at)],
  };
}

function membersOf({ groups }: Problem, group: number): number[] {
  return Array.from(groups.members.slice(groups.memberStart[group]!, groups.memberStart[group + 1]!));
}

function termCost(problem: Problem, at: (item: number) => number): number {
  const { terms, columns } = problem;
  let cost = 0;
  for (let host = 0; terms !== null && host < problem.hosts; host += 1) {
    const items = Array.from({ length: problem.items }, (_, item) => item).filter((item) => at(item) === host);
    if (items.length > 0) cost += terms.inUsePrices[host]!;
    const room = problem.limit[host * columns]! - problem.base[host * columns]!;
    const used = items.reduce((sum, item) => sum + problem.use[item * columns]!, 0);
    const places = (free: number) => Math.max(0, Math.floor(free / terms.slotNeeds[0]!));
    cost += terms.slotPrices[0]! * (places(room) - places(room - used));
  }
  return cost;
}

function groupCost(problem: Problem, at: (item: number) => number): number {
  let most = 0;
  for (let group = 0; group < problem.groups.count; group += 1)
    most = Math.max(most, membersOf(problem, group).filter((item) => at(item) !== problem.home[item]).length);
  return most * problem.groups.awayCost;
}

function brokenGroups(problem: Problem, at: (item: number) => number): string[] {
  const { groups } = problem;
  const broken: string[] = [];
  const domains = (group: number) => new Set(membersOf(problem, group).map((item) => groups.domainOf[at(item)]!));
  for (let group = 0; group < groups.count; group += 1) {
    const hosts = membersOf(problem, group).map(at);
    if (groups.apart[group] === 1 && new Set(hosts).size < hosts.length) broken.push(`group ${group} shares a host`);
    if (new Set(hosts.map((h) => groups.locationOf[h])).size < groups.spread[group]!)
      broken.push(`group ${group} uses too few locations`);
    for (const needed of groups.needs.slice(groups.needsStart[group]!, groups.needsStart[group + 1]!))
      for (const domain of domains(group))
        if (!domains(needed).has(domain)) broken.push(`group ${group} lacks ${needed} in ${domain}`);
  }
  return broken;
}

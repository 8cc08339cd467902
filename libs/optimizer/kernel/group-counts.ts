import type { GroupRules, Problem } from '../problem/problem.ts';

/** Counts for the rules of groups, kept in sync with the hosts of the items (`host`, owned by the placement). */
export class GroupCounts {
  private readonly rules: GroupRules;
  private readonly home: Int32Array;
  private readonly host: Int32Array;
  /** Members by group and location, and by group and domain (on open hosts only). Used locations by group. */
  private readonly atLocation: Int32Array;
  private readonly inDomain: Int32Array;
  private readonly locationsUsed: Int32Array;
  /** Number of locations that each group must keep. */
  private readonly leastLocations: Int32Array;
  /** Groups × domains. 1: a member of the group stays in the domain in every placement. */
  private readonly kept: Uint8Array;
  /** Whether any group limits the locations of its domains (1). */
  private readonly asksLocations: Uint8Array;
  private readonly asksDomains: Uint8Array;
  /** 1: items may move to and from the host. */
  private open: Uint8Array;
  /** Members off their homes by group. Groups by that number. The greatest of them. */
  private readonly away: Int32Array;
  private readonly groupsWithAway: Int32Array;
  private greatestAway = 0;

  constructor(problem: Problem, host: Int32Array) {
    const rules = problem.groups;
    this.rules = rules;
    this.home = problem.home;
    this.host = host;
    this.atLocation = new Int32Array(rules.count * rules.locations);
    this.inDomain = new Int32Array(rules.count * rules.domains);
    this.locationsUsed = new Int32Array(rules.count);
    this.leastLocations = Int32Array.from(rules.spread);
    this.kept = new Uint8Array(rules.count * rules.domains);
    this.asksLocations = Uint8Array.from(rules.spread, (least) => (least > 1 ? 1 : 0));
    this.asksDomains = Uint8Array.from(rules.spread, (_, group) => (isBound(rules, group) ? 1 : 0));
    this.open = new Uint8Array(problem.hosts).fill(1);
    this.away = new Int32Array(rules.count);
    this.groupsWithAway = new Int32Array(problem.items + 2);
    this.reset();
  }

  /**
   * Recounts, and allows moves only within the hosts of `open`. `sharers - 1` others move the other members at the same
   * time, each within separate hosts. Rules hold for any combined moves if all hosts of a location are open to the same
   * sharer. Each sharer may vacate only its share of the locations above the minimum, and leaves a member where one is
   * needed.
   */
  confine(open: Uint8Array, sharers: number): void {
    const { rules } = this;
    this.open = new Uint8Array(open.length).fill(1);
    this.reset();
    this.kept.fill(0);
    if (sharers > 1) this.keepNeeded();
    for (let group = 0; group < rules.count; group += 1) {
      const spare = this.locationsUsed[group]! - rules.spread[group]!;
      this.leastLocations[group] =
        spare <= 0 ? rules.spread[group]! : this.locationsUsed[group]! - Math.floor(spare / sharers);
    }
    this.open = open;
    this.reset();
  }

  /** Marks the domains where a group has a member that another group needs. */
  private keepNeeded(): void {
    const { rules, inDomain, kept } = this;
    for (let needed = 0; needed < rules.count; needed += 1)
      for (let at = rules.neededByStart[needed]!; at < rules.neededByStart[needed + 1]!; at += 1) {
        const needing = rules.neededBy[at]! * rules.domains;
        const row = needed * rules.domains;
        for (let domain = 0; domain < rules.domains; domain += 1)
          if (inDomain[needing + domain]! > 0 && inDomain[row + domain]! > 0) kept[row + domain] = 1;
      }
  }

  /** Counts anew. */
  reset(): void {
    const { rules } = this;
    for (const array of [this.atLocation, this.inDomain, this.locationsUsed, this.away, this.groupsWithAway])
      array.fill(0);
    this.greatestAway = 0;
    this.groupsWithAway[0] = rules.count;
    for (let item = 0; item < this.host.length; item += 1) {
      const group = rules.of[item]!;
      if (group >= 0) this.enter(group, this.host[item]!);
      if (group >= 0 && this.host[item] !== this.home[item]) this.countAway(group, 1);
    }
  }

  private enter(group: number, host: number): void {
    const { rules } = this;
    if (this.asksDomains[group] === 1)
      this.inDomain[group * rules.domains + rules.domainOf[host]!]! += this.open[host]!;
    if (this.asksLocations[group] === 0) return;
    const location = group * rules.locations + rules.locationOf[host]!;
    if (this.atLocation[location] === 0) this.locationsUsed[group]! += 1;
    this.atLocation[location]! += 1;
  }

  private leave(group: number, host: number): void {
    const { rules } = this;
    if (this.asksDomains[group] === 1)
      this.inDomain[group * rules.domains + rules.domainOf[host]!]! -= this.open[host]!;
    if (this.asksLocations[group] === 0) return;
    const location = group * rules.locations + rules.locationOf[host]!;
    this.atLocation[location]! -= 1;
    if (this.atLocation[location] === 0) this.locationsUsed[group]! -= 1;
  }

  private countAway(group: number, change: number): void {
    const before = this.away[group]!;
    const after = before + change;
    this.away[group] = after;
    this.groupsWithAway[before]! -= 1;
    this.groupsWithAway[after]! += 1;
    if (after > this.greatestAway) this.greatestAway = after;
    while (this.greatestAway > 0 && this.groupsWithAway[this.greatestAway] === 0) this.greatestAway -= 1;
  }

  /** Cost of the group with the most members off their homes. */
  awayCost(): number {
    return this.rules.awayCost * this.greatestAway;
  }

  /** Counts the move of an item from `from` to `to`. Returns the change of the cost of groups. */
  move(item: number, from: number, to: number): number {
    const group = this.rules.of[item]!;
    if (group < 0) return 0;
    this.leave(group, from);
    this.enter(group, to);
    const home = this.home[item]!;
    if (from !== home && to !== home) return 0;
    const before = this.greatestAway;
    this.countAway(group, from === home ? 1 : -1);
    return this.rules.awayCost * (this.greatestAway - before);
  }

  /** Whether the rules of its group allow an item to move from `from` to `to` while `leaver` (-1: none) leaves `to`. */
  admits(item: number, from: number, to: number, leaver: number): boolean {
    const { rules } = this;
    const group = rules.of[item]!;
    if (group < 0) return true;
    if (rules.apart[group] === 1 && this.meetsMember(group, item, to, leaver)) return false;
    return this.keepsSpread(group, from, to) && this.keepsDomains(group, rules.domainOf[from]!, rules.domainOf[to]!);
  }

  private meetsMember(group: number, item: number, to: number, leaver: number): boolean {
    const { memberStart, members } = this.rules;
    const end = memberStart[group + 1]!;
    for (let at = memberStart[group]!; at < end; at += 1) {
      const member = members[at]!;
      if (this.host[member] === to && member !== item && member !== leaver) return true;
    }
    return false;
  }

  private keepsSpread(group: number, from: number, to: number): boolean {
    const { spread, locationOf, locations } = this.rules;
    if (spread[group]! < 2) return true;
    const old = locationOf[from]!;
    const next = locationOf[to]!;
    if (old === next || this.atLocation[group * locations + old]! > 1) return true;
    const entersNew = this.atLocation[group * locations + next] === 0;
    return entersNew || this.locationsUsed[group]! > this.leastLocations[group]!;
  }

  private keepsDomains(group: number, old: number, next: number): boolean {
    if (old === next || this.asksDomains[group] === 0) return true;
    const { rules, inDomain, kept } = this;
    for (let at = rules.needsStart[group]!; at < rules.needsStart[group + 1]!; at += 1) {
      const needed = rules.needs[at]!;
      const there = needed * rules.domains + next;
      if (needed !== group && inDomain[there] === 0 && kept[there] === 0) return false;
    }
    if (inDomain[group * rules.domains + old]! > 1) return true;
    if (kept[group * rules.domains + old] === 1) return false;
    for (let at = rules.neededByStart[group]!; at < rules.neededByStart[group + 1]!; at += 1) {
      const needing = rules.neededBy[at]!;
      if (needing !== group && inDomain[needing * rules.domains + old]! > 0) return false;
    }
    return true;
  }
}

/** Whether a group needs another group in its domains, or another group needs it. */
function isBound({ needsStart, neededByStart }: GroupRules, group: number): boolean {
  return needsStart[group + 1]! > needsStart[group]! || neededByStart[group + 1]! > neededByStart[group]!;
}

import { Random } from '../kernel/random.ts';
import type { Neighbourhood } from '../moves/neighbourhood.ts';
import type { Problem } from '../problem/problem.ts';

/** Several searches of one problem at the same time, each within separate hosts, which change from round to round. */
export interface Team {
  /** Which member this is, from 0 on, and how many there are. */
  readonly index: number;
  readonly count: number;
  /** Host of each item, on memory that all members share. It starts with the start of the search. */
  readonly host: Int32Array;
  /** Returns when all members have called it. */
  meet(): void;
}

/** Number of times that hosts are redistributed in a search. */
const rounds = 64;
/** Minimum number of hosts of a member, or of locations when groups must use several. */
const leastParts = 3;

/** Key by which hosts are dealt out: hosts of one location stay together where groups must use several of them. */
function parts({ groups, hosts }: Problem): { partOf: Int32Array; count: number } {
  if (groups.spread.some((least) => least > 1)) return { partOf: groups.locationOf, count: groups.locations };
  return { partOf: Int32Array.from({ length: hosts }, (_, host) => host), count: hosts };
}

/** Whether this number of members can search a problem together. */
export function canShare(problem: Problem, members: number): boolean {
  return parts(problem).count >= leastParts * members;
}

/** A member's part in the rounds of its team. All members have the same number of rounds, with any results. */
export class Rounds {
  private readonly around: Neighbourhood;
  private readonly team: Team;
  private round = 0;

  constructor(around: Neighbourhood, team: Team) {
    this.around = around;
    this.team = team;
  }

  /** Continues to the round of a point of the search, 0 to 1. Returns whether the placement is another one now. */
  at(part: number): boolean {
    if (part * rounds < this.round || this.round === rounds) return false;
    while (this.round <= part * rounds && this.round < rounds) {
      this.gather();
      this.round += 1;
      this.share();
    }
    return true;
  }

  /** Ends the last round: the placement is that of all members, and every host is open. */
  finish(): void {
    this.at(1);
    const { placement } = this.around;
    this.gather();
    placement.share(this.team.host, new Uint8Array(placement.problem.hosts).fill(1), 1);
    this.around.listOpen();
  }

  /** Combines the results of all members in their rounds. */
  private gather(): void {
    const { placement } = this.around;
    const { host, open } = placement;
    if (this.round > 0)
      for (let item = 0; item < host.length; item += 1) if (open[host[item]!] === 1) this.team.host[item] = host[item]!;
    this.team.meet();
  }

  /** Deals the hosts out: about as many to each member, by chance, which is the same for all. */
  private share(): void {
    const { placement } = this.around;
    const { index, count, host } = this.team;
    const { partOf, count: partCount } = parts(placement.problem);
    const members = deal(partOf, partCount, count, new Random(this.round));
    placement.share(
      host,
      Uint8Array.from(partOf, (part) => (members[part] === index ? 1 : 0)),
      count,
    );
    this.around.listOpen();
    // No member writes before all have read.
    this.team.meet();
  }
}

/** The member that gets each part: in random order, each to the member with the fewest hosts. */
function deal(partOf: Int32Array, partCount: number, members: number, random: Random): Int32Array {
  const sizes = new Int32Array(partCount);
  for (const part of partOf) sizes[part]! += 1;
  const order = Int32Array.from({ length: partCount }, (_, part) => part);
  for (let at = partCount - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    const part = order[at]!;
    order[at] = order[other]!;
    order[other] = part;
  }
  const dealt = new Int32Array(members);
  const memberOf = new Int32Array(partCount);
  for (const part of order) {
    const member = dealt.indexOf(Math.min(...dealt));
    memberOf[part] = member;
    dealt[member]! += sizes[part]!;
  }
  return memberOf;
}

import type { GroupRules } from './problem.ts';
import { sharedBytes, sharedInts } from './shared-arrays.ts';

/** A group before it is flattened. */
export interface GroupInput {
  /** Rows of items. */
  members: ArrayLike<number>;
  /** No two on one host. Default false. */
  apart?: boolean;
  /** Least number of locations in use. Default 0. */
  spread?: number;
  /** Groups (by position) that must have a member in each domain with a member of this group. Default none. */
  needs?: ArrayLike<number>;
}

export interface GroupsInput {
  groups: readonly GroupInput[];
  /** Location and domain of each host, numbered from 0. Default: one for all. */
  locationOf?: ArrayLike<number>;
  domainOf?: ArrayLike<number>;
  /** Cost of each off-home member of the group with the most off-home members. Default 0. */
  awayCost?: number;
}

function greatest(values: ArrayLike<number>): number {
  let top = 0;
  for (let index = 0; index < values.length; index += 1) top = Math.max(top, values[index]!);
  return top;
}

function rows(values: ArrayLike<number> | undefined, length: number): Int32Array {
  const array = sharedInts(length);
  if (values !== undefined) array.set(values);
  return array;
}

/** Lists of numbers as one array and the start of each list. */
function flatten(lists: readonly ArrayLike<number>[]): { start: Int32Array; flat: Int32Array } {
  const start = sharedInts(lists.length + 1);
  lists.forEach((list, index) => {
    start[index + 1] = start[index]! + list.length;
  });
  const flat = sharedInts(start[lists.length]!);
  lists.forEach((list, index) => {
    flat.set(list, start[index]!);
  });
  return { start, flat };
}

function reversed(lists: readonly ArrayLike<number>[]): number[][] {
  const response: number[][] = lists.map(() => []);
  lists.forEach((list, from) => {
    for (let index = 0; index < list.length; index += 1) response[list[index]!]?.push(from);
  });
  return response;
}

/** Flattens groups of `items` items on `hosts` hosts. */
export function buildGroups(input: GroupsInput, items: number, hosts: number): GroupRules {
  const { groups } = input;
  const members = flatten(groups.map((group) => group.members));
  const needLists = groups.map(({ needs = [] }) => needs);
  const needs = flatten(needLists);
  const neededBy = flatten(reversed(needLists));
  const of = sharedInts(items).fill(-1);
  const apart = sharedBytes(groups.length);
  const spread = sharedInts(groups.length);
  groups.forEach((group, index) => {
    for (let at = members.start[index]!; at < members.start[index + 1]!; at += 1) of[members.flat[at]!] = index;
    apart[index] = group.apart ? 1 : 0;
    spread[index] = group.spread ?? 0;
  });
  const locationOf = rows(input.locationOf, hosts);
  const domainOf = rows(input.domainOf, hosts);
  return {
    count: groups.length,
    of,
    memberStart: members.start,
    members: members.flat,
    apart,
    locationOf,
    locations: greatest(locationOf) + 1,
    spread,
    domainOf,
    domains: greatest(domainOf) + 1,
    needsStart: needs.start,
    needs: needs.flat,
    neededByStart: neededBy.start,
    neededBy: neededBy.flat,
    awayCost: input.awayCost ?? 0,
  };
}

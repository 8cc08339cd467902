import { type ConstraintName, createHintLinks, type WhatIf } from '#libs/cluster-model';
import type { MoveWay } from '#libs/domain';
import type { Steps } from '../steps.ts';

/** Resources that instances take of hosts, in the order of the columns of a problem. */
export const resources = ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const;
export type Resource = (typeof resources)[number];
export const width = resources.length;

/** Slack against rounding when fractional ratios are multiplied. */
export const tolerance = 1e-6;

/**
 * Instances that have to be brought to hosts, as numbers. Only these instances move, so that free room only
 * shrinks and groups on the hosts only grow: a host that refuses an instance now refuses it after any of the
 * moves.
 */
export interface PackingProblem {
  /** Rows of the instances. */
  items: readonly number[];
  /** Rows of the hosts that may take them. */
  hosts: readonly number[];
  /** Amounts of each item, `width` a row. */
  needs: Float64Array;
  /** Free amounts of each host, `width` a row. */
  free: Float64Array;
  /** Of each item: 1 for each host that takes it now. Equal items share one. */
  reach: readonly Uint8Array[];
  /** Number of the class of each item. Items of a class are interchangeable. −1: not interchangeable. */
  classOf: Int32Array;
  /** Row in `caps` of each item, −1 when it is in no group that keeps its members apart. */
  groupOf: Int32Array;
  /** Places that each group has left on each host. */
  caps: readonly Int32Array[];
  /** Items that each item may not share a host with, by hints. Absent where there are none. */
  apart: ReadonlyMap<number, readonly number[]>;
  /** Whether the order of the moves decides about their admission, which the search does not try. */
  isOrdered: boolean;
}

/** Instances without any host, and the constraint that rules out most hosts. */
export interface Stranded {
  instance: number;
  constraint: ConstraintName;
  /** Whether the constraint is about the instance itself. */
  isImmovable: boolean;
}

/** How instances leave their hosts. Default: in their usual way. */
export interface Departure {
  way?: MoveWay;
  /** Judges the moves as if their hosts were down. */
  sourceDown?: boolean;
}

const stepSize = 20_000;

/** The constraint that rules out most of the hosts. `none`: where there are no hosts. */
export function mostFrequent(tally: ReadonlyMap<ConstraintName, number>, none: ConstraintName): ConstraintName {
  let found = none;
  let most = 0;
  for (const [constraint, count] of tally) if (count > most) [found, most] = [constraint, count];
  return found;
}

/** The constraint where no other host is left. */
export function withoutHosts({ sourceDown = false }: Departure): ConstraintName {
  return sourceDown ? 'host-down' : 'host-disabled';
}

/** Reads a problem from a model. Stranded instances are left out of it. */
export function* readProblem(
  model: WhatIf,
  { instances, hosts, departure }: { instances: readonly number[]; hosts: readonly number[]; departure: Departure },
): Steps<{ problem: PackingProblem; stranded: Stranded[] }> {
  const stranded: Stranded[] = [];
  const items: number[] = [];
  const reach: Uint8Array[] = [];
  const known = new Map<string, Uint8Array>();
  let checks = 0;
  for (const instance of instances) {
    const because = model.immovable(instance, departure.way, departure.sourceDown);
    if (because !== null) {
      stranded.push({ instance, constraint: because, isImmovable: true });
      continue;
    }
    const row = new Uint8Array(hosts.length);
    const tally = new Map<ConstraintName, number>();
    let isAnywhere = false;
    for (const [at, host] of hosts.entries()) {
      const refusal = model.refusal(instance, host, departure);
      if (refusal === null) {
        row[at] = 1;
        isAnywhere = true;
      } else tally.set(refusal, (tally.get(refusal) ?? 0) + 1);
    }
    if (isAnywhere) {
      const key = Buffer.from(row).toString('latin1');
      const shared = known.get(key) ?? row;
      known.set(key, shared);
      items.push(instance);
      reach.push(shared);
    } else stranded.push({ instance, constraint: mostFrequent(tally, withoutHosts(departure)), isImmovable: false });
    checks += hosts.length;
    if (checks > stepSize) {
      checks = 0;
      yield;
    }
  }
  return { problem: { ...numbersOf(model, items, hosts), ...limitsOf(model, items, hosts, reach), reach }, stranded };
}

function numbersOf(model: WhatIf, items: readonly number[], hosts: readonly number[]) {
  const needs = new Float64Array(items.length * width);
  for (const [at, instance] of items.entries()) {
    const need = model.needs(instance);
    needs.set(
      resources.map((resource) => need[resource]),
      at * width,
    );
  }
  const free = new Float64Array(hosts.length * width);
  for (const [at, host] of hosts.entries()) {
    const { vcpus, memory, disk } = model.free(host);
    const room = [vcpus, model.freeDedicatedCpus(host), memory, disk];
    free.set(
      room.map((amount) => amount + tolerance),
      at * width,
    );
  }
  return { items, hosts, needs, free };
}

function limitsOf(model: WhatIf, items: readonly number[], hosts: readonly number[], reach: readonly Uint8Array[]) {
  const { snapshot } = model;
  const { groups, instances } = snapshot;
  const at = new Map(items.map((instance, index) => [instance, index]));
  const { apart, together } = createHintLinks(snapshot);
  const others = new Map<number, number[]>();
  for (const [one, other] of apart) {
    const [first, second] = [at.get(one), at.get(other)];
    if (first === undefined || second === undefined) continue;
    others.set(first, [...(others.get(first) ?? []), second]);
    others.set(second, [...(others.get(second) ?? []), first]);
  }
  const isOrdered = together.some(
    ({ instance, named }) => [instance, ...named].filter((row) => at.has(row)).length > 1,
  );
  const capRows = new Map<number, number>();
  const groupOf = Int32Array.from(items, (instance) => {
    const group = instances.group[instance] as number;
    if (groups[group]?.policy !== 'anti-affinity') return -1;
    const row = capRows.get(group) ?? capRows.size;
    capRows.set(group, row);
    return row;
  });
  const hostAt = new Map(hosts.map((host, index) => [host, index]));
  const caps = [...capRows.keys()].map((group) =>
    new Int32Array(hosts.length).fill(groups[group]?.maxServerPerHost ?? 1),
  );
  if (caps.length > 0) {
    for (const [instance, group] of instances.group.entries()) {
      const host = hostAt.get(model.hostOf[instance] as number);
      const cap = caps[capRows.get(group) ?? -1];
      if (cap !== undefined && host !== undefined) cap[host] = (cap[host] as number) - 1;
    }
  }
  const classes = new Map<string, number>();
  const reachNumbers = new Map<Uint8Array, number>();
  const classOf = Int32Array.from(items, (instance, index) => {
    if (others.has(index)) return -1;
    const row = reach[index] as Uint8Array;
    const reachNumber = reachNumbers.get(row) ?? reachNumbers.size;
    reachNumbers.set(row, reachNumber);
    const need = model.needs(instance);
    const key = [reachNumber, groupOf[index], ...resources.map((resource) => need[resource])].join();
    const number = classes.get(key) ?? classes.size;
    classes.set(key, number);
    return number;
  });
  return { groupOf, caps, apart: others, isOrdered, classOf };
}

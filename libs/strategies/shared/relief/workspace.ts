import type { WhatIf } from '#libs/cluster-model';
import type { RejectedAlternative } from '#libs/domain';
import { createOrderedHosts, type OrderedHosts } from '../hosts/ordered-hosts.ts';
import { hostAt } from '../hosts/rows.ts';
import { type AllocationTarget, targetConstraint, tolerance } from '../hosts/target-utilization.ts';
import { createSoftChoice, softGroup } from '../moves/soft-choice.ts';
import { failureReserveConstraint } from '../reserve/failure-reserve.ts';
import type { MeasuredUse } from './measured-use.ts';

export type Resource = 'vcpus' | 'memory';

/** Why the planned move of an instance was chosen. */
export interface Choice {
  rule: 'relieve-overload' | 'empty-host';
  found: Found;
}

/** Model, measurements, and the destinations in order of free room. Each move updates all of them. */
export interface Workspace {
  readonly model: WhatIf;
  readonly use: MeasuredUse;
  readonly target: AllocationTarget;
  /** The resource with the highest allocated share of the cluster. Hosts are packed by it. */
  readonly scarce: Resource;
  readonly destinations: OrderedHosts;
  /** Latest choice of each instance that was moved. */
  readonly choices: ReadonlyMap<number, Choice>;
  need(instance: number): number;
  /** Why the instance cannot be moved to any destination. Null when it can. */
  immovable(instance: number): string | null;
  /**
   * Whether the host has too little of the scarce resource below the target. The most frequent check, so it reads only
   * two numbers.
   */
  isAtTarget(instance: number, host: number): boolean;
  free(host: number): number;
  move(instance: number, to: number, choice: Choice): void;
  /** Calls the listener with both hosts after every move and every reverted move. */
  watch(listener: (from: number, to: number) => void): void;
  /** Number of moves so far, for `undoTo`. */
  mark(): number;
  /** Reverts all moves after the mark. */
  undoTo(mark: number): void;
}

/** Hosts that one constraint excluded: the fullest of them, and their number. */
export interface Refused {
  because: string;
  host: number;
  count: number;
}

/** A destination with the rejected alternatives. Host −1 without one. */
export interface Found {
  host: number;
  /** Constraints that excluded hosts, besides the scarce resource, in the order in which they were found. */
  refused: Refused[];
  /** Hosts without enough of the scarce resource, and the one that lacks the least (−1 without one). */
  tooFull: { count: number; nearest: number };
  /** A host with more room than the chosen one, −1 without one. */
  looser: number;
}

function scarcest(model: WhatIf, hosts: readonly number[]): Resource {
  const totals = { vcpus: 0, memory: 0, vcpusUsed: 0, memoryUsed: 0 };
  for (const host of hosts) {
    const capacity = model.capacity(host);
    const used = model.used(host);
    totals.vcpus += capacity.vcpus;
    totals.memory += capacity.memory;
    totals.vcpusUsed += used.vcpus;
    totals.memoryUsed += used.memory;
  }
  return totals.vcpusUsed * totals.memory >= totals.memoryUsed * totals.vcpus ? 'vcpus' : 'memory';
}

/** Starts with all given hosts as destinations. */
export function createWorkspace(
  model: WhatIf,
  {
    use,
    target,
    immovable = model.immovable,
  }: Pick<Workspace, 'use' | 'target'> & Partial<Pick<Workspace, 'immovable'>>,
  hosts: readonly number[],
): Workspace {
  const scarce = scarcest(model, hosts);
  const needs = Float64Array.from(model.hostOf, (_, instance) => model.needs(instance)[scarce]);
  const journal: { instance: number; from: number }[] = [];
  const choices = new Map<number, Choice>();
  const listeners: ((from: number, to: number) => void)[] = [];
  const free = (host: number) => model.free(host)[scarce];
  const destinations = createOrderedHosts(hosts, free);
  const roomBelowTarget = Float64Array.from(model.enabled, (_, host) => target.room(host)[scarce]);

  function shift(instance: number, to: number): void {
    const from = model.hostOf[instance] as number;
    model.move(instance, to);
    use.moved(instance, from, to);
    destinations.update(from, free(from));
    destinations.update(to, free(to));
    for (const host of [from, to]) roomBelowTarget[host] = target.room(host)[scarce];
    for (const listener of listeners) listener(from, to);
  }

  return {
    model,
    use,
    target,
    scarce,
    destinations,
    choices,
    immovable,
    need: (instance) => needs[instance] as number,
    isAtTarget(instance, host) {
      const need = needs[instance] as number;
      return need > 0 && need > (roomBelowTarget[host] as number) + tolerance;
    },
    free,
    move(instance, to, choice) {
      journal.push({ instance, from: model.hostOf[instance] as number });
      choices.set(instance, choice);
      shift(instance, to);
    },
    watch: (listener) => void listeners.push(listener),
    mark: () => journal.length,
    undoTo(mark) {
      for (const { instance, from } of journal.splice(mark).reverse()) shift(instance, from);
    },
  };
}

/** The name of the obstacle of a host, including target and measured use. Null without one. */
export function obstacle(space: Workspace, instance: number, host: number, allowDisabled = false): string | null {
  // Most hosts are at the target, and this check is cheap.
  const { target } = space;
  if (!target.isPacked && (space.isAtTarget(instance, host) || !target.admits(instance, host))) return targetConstraint;
  const refusal = space.model.refusal(instance, host, { allowDisabled });
  if (refusal !== null) return refusal;
  return space.use.fits(instance, host) ? null : 'measured-use';
}

/** Counts hosts that a constraint excluded. `host` represents all of them. */
export function refuse(refused: Refused[], because: string, host: number, count = 1): void {
  const known = refused.find((entry) => entry.because === because);
  if (known === undefined) refused.push({ because, host, count });
  else known.count += count;
}

/**
 * The destination with the least room that accepts the instance, so that room stays in large pieces.
 * @param keepsReserve whether failure domains keep their reserve with the instance on a host. Default: always
 */
export function tightestDestination(
  space: Workspace,
  instance: number,
  keepsReserve: (host: number) => boolean = () => true,
): Found {
  const { destinations, model } = space;
  const source = model.hostOf[instance];
  const { size } = destinations;
  const first = destinations.firstAtLeast(space.need(instance));
  const nearest = first > 0 ? destinations.at(first - 1) : -1;
  const found: Found = { host: -1, refused: [], tooFull: { count: first, nearest }, looser: -1 };
  const choice = createSoftChoice(model, instance, (host) => refuse(found.refused, softGroup, host));
  let isSettled = false;
  for (let index = first; index < size; index++) {
    const host = destinations.at(index);
    if (host === source) continue;
    if (isSettled) {
      found.looser = host;
      break;
    }
    const because = obstacle(space, instance, host) ?? (keepsReserve(host) ? null : failureReserveConstraint);
    if (because === null) isSettled = choice.offer(host);
    else refuse(found.refused, because, host);
  }
  return { ...found, host: choice.host };
}

/** The rejected alternatives as text. */
export function rejectedAlternatives(space: Workspace, { refused, tooFull, looser }: Found): RejectedAlternative[] {
  const nameOf = (host: number) => hostAt(space.model.snapshot, host).hostname;
  const because = scarceConstraint(space);
  return [
    ...(tooFull.nearest < 0 ? [] : [{ alternative: nameOf(tooFull.nearest), because, others: tooFull.count - 1 }]),
    ...refused.map((entry) => ({ alternative: nameOf(entry.host), because: entry.because, others: entry.count - 1 })),
    ...(looser < 0 ? [] : [{ alternative: nameOf(looser), because: 'looser-fit', others: 0 }]),
  ];
}

/** The constraint that refused most destinations, `no-other-host` without a candidate. */
export function mainObstacle(space: Workspace, { refused, tooFull }: Found): string {
  const counts = new Map<string, number>();
  if (tooFull.count > 0) counts.set(scarceConstraint(space), tooFull.count);
  for (const { because, count } of refused) counts.set(because, (counts.get(because) ?? 0) + count);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? 'no-other-host';
}

function scarceConstraint(space: Workspace): string {
  return space.scarce === 'vcpus' ? 'vcpu' : 'memory';
}

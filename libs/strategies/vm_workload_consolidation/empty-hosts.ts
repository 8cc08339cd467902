import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { createRoomTree } from '../shared/hosts/room-tree.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import {
  createMovePrices,
  emptyingMinutes,
  horizonMinutes,
  tooDear as priceConstraint,
} from '../shared/moves/move-cost.ts';
import { isSpent } from '../shared/moves/shared-parameters.ts';
import { createSoftChoice, softGroup } from '../shared/moves/soft-choice.ts';
import {
  type Found,
  mainObstacle,
  obstacle,
  type Refused,
  refuse,
  type Workspace,
} from '../shared/relief/workspace.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import { createFailureReserve, type FailureReserve } from '../shared/reserve/failure-reserve.ts';

/** Prices of the migrations off each host, in host minutes. */
function pricesOfEmptying(
  { model, use }: Workspace,
  hosts: readonly number[],
  departed: ReadonlySet<string>,
): Map<number, number> {
  const { vcpus } = model.snapshot.instances;
  const percent = (instance: number) => (use.instanceCpu(instance) / (vcpus[instance] as number)) * 100;
  const minutesOf = createMovePrices(model, percent, departed);
  return new Map(hosts.map((host) => [host, emptyingMinutes(model, host, minutesOf)]));
}

/**
 * Hosts in the order of the least loss when emptied: the price of the migrations, and the room that others could use.
 * For hosts of one size the cheapest is first. Small hosts are before large ones.
 */
function inOrder(space: Workspace, hosts: readonly number[], prices: ReadonlyMap<number, number>): number[] {
  const size = (host: number) => space.use.cpuCapacity(host);
  const mean = hosts.reduce((sum, host) => sum + size(host), 0) / Math.max(1, hosts.length);
  const loss = new Map(hosts.map((host) => [host, (prices.get(host) ?? 0) + (size(host) / mean) * horizonMinutes]));
  return [...hosts].sort((a, b) => (loss.get(a) ?? 0) - (loss.get(b) ?? 0) || a - b);
}

/** Why a host cannot be emptied regardless of room. Null when it may be tried. */
function hindrance(space: Workspace, host: number, blocked: BlockedTally): string | null {
  const { model } = space;
  for (const instance of model.instancesOn(host)) {
    const reason = model.immovable(instance);
    if (reason === null) continue;
    blocked.add(reason, instanceLabel(instanceAt(model.snapshot, instance)));
    return reason;
  }
  return holdsForeignAllocation(model, host) ? 'foreign-allocation' : null;
}

/** Hosts that may receive instances. Those that are emptied last come first, so that few hosts fill up. */
interface Takers {
  find(instance: number): Found;
  setOpen(host: number, open: boolean): void;
}

/** @param order hosts in the order in which they receive instances */
function createTakers(space: Workspace, order: readonly number[]): Takers {
  const { model, use, target } = space;
  const tree = createRoomTree(target, order, use.freeCpu);
  const places = new Map(order.map((host, place) => [host, place]));
  space.watch((from, to) => {
    for (const host of [from, to]) if (places.has(host)) tree.update(places.get(host)!);
  });

  /** The hosts between two positions were rejected together. The first of them represents all. */
  function passOver(instance: number, from: number, to: number, refused: Refused[]): void {
    const host = order[from];
    if (host === undefined || to <= from) return;
    refuse(refused, obstacle(space, instance, host) ?? 'measured-use', host, to - from);
  }

  return {
    find(instance) {
      const source = model.hostOf[instance];
      const need = { ...model.needs(instance), cpu: use.instanceCpu(instance) };
      const found: Found = { host: -1, refused: [], tooFull: { count: 0, nearest: -1 }, looser: -1 };
      const choice = createSoftChoice(model, instance, (host) => refuse(found.refused, softGroup, host));
      let from = 0;
      for (let at = tree.next(0, need); at >= 0; at = tree.next(at + 1, need)) {
        const host = order[at]!;
        passOver(instance, from, at, found.refused);
        from = at + 1;
        if (host === source) continue;
        const because = obstacle(space, instance, host);
        if (because !== null) refuse(found.refused, because, host);
        else if (choice.offer(host)) break;
      }
      if (choice.host < 0) passOver(instance, from, order.length, found.refused);
      return { ...found, host: choice.host };
    },
    setOpen: (host, open) => places.has(host) && tree.close(places.get(host)!, !open),
  };
}

function revertHost(space: Workspace, takers: Takers, host: number, mark: number): void {
  space.undoTo(mark);
  takers.setOpen(host, true);
}

/**
 * Moves everything off the host, or nothing. Returns true when the host is empty and its domains keep their reserve.
 */
function emptyHost(
  space: Workspace,
  host: number,
  { takers, reserve, blocked }: { takers: Takers; reserve: FailureReserve; blocked: BlockedTally },
): boolean {
  const { model } = space;
  const mark = space.mark();
  const { memory } = model.snapshot.instances;
  const byNeed = [...model.instancesOn(host)].sort(
    (a, b) => space.need(b) - space.need(a) || (memory[b] as number) - (memory[a] as number) || a - b,
  );
  const took: number[] = [];
  takers.setOpen(host, false);
  for (const instance of byNeed) {
    const found = takers.find(instance);
    if (found.host >= 0) {
      space.move(instance, found.host, { rule: 'empty-host', found });
      took.push(found.host);
      continue;
    }
    revertHost(space, takers, host, mark);
    blocked.add(mainObstacle(space, found), instanceLabel(instanceAt(model.snapshot, instance)));
    return false;
  }
  if (reserve.release(host, took)) return true;
  revertHost(space, takers, host, mark);
  reserve.keep(host, took);
  return false;
}

/**
 * Hosts that receive instances: those that are not emptied, such as woken ones, then those that are emptied last. An
 * empty host that stays receives none, because that would free no host.
 */
function takersInOrder({ destinations, model }: Workspace, order: readonly number[]): number[] {
  const isTried = new Set(order);
  const all = Array.from({ length: destinations.size }, (_, place) => destinations.at(place));
  const staying = all.filter((host) => !isTried.has(host) && model.instancesOn(host).length > 0);
  return [...staying, ...order.toReversed()];
}

/** Result for the hosts that were to be emptied. */
export interface EmptiedHosts {
  /** Emptied hosts, in that order. Includes hosts that were already empty. */
  freed: number[];
  /** Hosts that could be emptied and are kept as the reserve. */
  kept: number[];
  /** Not tried: the budget of migrations is too small for their instances. */
  beyondBudget: number[];
  /** Not tried: the migrations cost more than the host saves while it stays free. */
  tooDear: number[];
  /** Notes of the failure reserve. */
  reserveNotes: string[];
}

/**
 * Empties as many hosts as possible and worthwhile, those with the least loss first, and always keeps one. A host is
 * emptied completely or not at all, so no migration is wasted. Stays within the budget of migrations (0: no limit).
 * Keeps the last `reserve` of the hosts that could be emptied, and the hosts that failure domains need as their
 * reserve.
 */
export function emptyHosts(
  space: Workspace,
  hosts: readonly number[],
  blocked: BlockedTally,
  {
    budget,
    reserve,
    failureReserve,
    departed,
    signal,
  }: {
    budget?: number;
    reserve: number;
    failureReserve: number;
    /** Uuids of instances that audits of the goal have moved before. */
    departed: ReadonlySet<string>;
    signal: AbortSignal;
  },
): EmptiedHosts {
  const domains = createFailureReserve(space.model, acceptingHosts(space.model), failureReserve);
  const prices = pricesOfEmptying(space, hosts, departed);
  const pays = (host: number) => (prices.get(host) ?? 0) <= horizonMinutes;
  const tooDear = hosts.filter((host) => !pays(host));
  for (const host of tooDear) blocked.add(priceConstraint, hostAt(space.model.snapshot, host).hostname);
  const emptied: { host: number; mark: number }[] = [];
  const beyondBudget: number[] = [];
  let inUse = hosts.length;
  const order = inOrder(space, hosts, prices);
  const takers = createTakers(space, takersInOrder(space, order));
  for (const host of order.filter(pays)) {
    signal.throwIfAborted();
    if (inUse <= 1) break;
    const against = hindrance(space, host, blocked);
    if (against === 'foreign-allocation') blocked.add(against, hostAt(space.model.snapshot, host).hostname);
    const mark = space.mark();
    const moves = mark + space.model.instancesOn(host).length;
    if (against !== null || domains.needs(host)) continue;
    if (isSpent(budget, moves - 1)) {
      beyondBudget.push(host);
      blocked.add('migration-budget', hostAt(space.model.snapshot, host).hostname);
      continue;
    }
    if (!emptyHost(space, host, { takers, reserve: domains, blocked })) continue;
    space.model.setEnabled(host, false);
    emptied.push({ host, mark });
    inUse--;
  }
  const kept = reserve > 0 ? emptied.splice(-reserve).reverse() : [];
  for (const { host, mark } of kept) {
    space.undoTo(mark);
    space.model.setEnabled(host, true);
  }
  const rows = (hosts: readonly { host: number }[]) => hosts.map(({ host }) => host);
  return { freed: rows(emptied), kept: rows(kept), beyondBudget, tooDear, reserveNotes: domains.report(blocked) };
}

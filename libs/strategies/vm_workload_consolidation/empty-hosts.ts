import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { horizonMinutes, moveMinutes } from '../shared/moves/move-cost.ts';
import { isSpent } from '../shared/moves/shared-parameters.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import { createFailureReserve, type FailureReserve } from '../shared/reserve/failure-reserve.ts';
import { mainObstacle, tightestDestination, type Workspace } from './workspace.ts';

/** Price of the migrations off a host, in minutes of a host. */
function priceOfEmptying(space: Workspace, host: number, departed: ReadonlySet<string>): number {
  const { vcpus } = space.model.snapshot.instances;
  const percent = (instance: number) => (space.use.instanceCpu(instance) / (vcpus[instance] as number)) * 100;
  const hasMoved = (instance: number) => departed.has(instanceAt(space.model.snapshot, instance).uuid);
  return space.model
    .instancesOn(host)
    .reduce((sum, row) => sum + moveMinutes(space.model, row, percent(row), hasMoved(row)), 0);
}

/**
 * Hosts by the least loss of their emptying: the price of the migrations, and the room that others could use. Of hosts
 * of one size the cheapest is first, and small hosts are before large ones.
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

function takeBack(space: Workspace, host: number, mark: number): void {
  space.undoTo(mark);
  space.destinations.add(host, space.free(host));
}

/** Moves everything off the host, or nothing. True when the host is empty and its domains keep their reserve. */
function emptyHost(space: Workspace, host: number, reserve: FailureReserve, blocked: BlockedTally): boolean {
  const { model } = space;
  const mark = space.mark();
  const { memory } = model.snapshot.instances;
  const byNeed = [...model.instancesOn(host)].sort(
    (a, b) => space.need(b) - space.need(a) || (memory[b] as number) - (memory[a] as number) || a - b,
  );
  const takers: number[] = [];
  space.destinations.remove(host);
  for (const instance of byNeed) {
    const found = tightestDestination(space, instance);
    if (found.host >= 0) {
      space.move(instance, found.host, { rule: 'empty-host', found });
      takers.push(found.host);
      continue;
    }
    takeBack(space, host, mark);
    blocked.add(mainObstacle(space, found), instanceLabel(instanceAt(model.snapshot, instance)));
    return false;
  }
  if (reserve.release(host, takers)) return true;
  takeBack(space, host, mark);
  reserve.keep(host, takers);
  return false;
}

/** Fate of the hosts that were to be emptied. */
export interface EmptiedHosts {
  /** Emptied, in that order. Those that were empty before included. */
  freed: number[];
  /** Could be emptied, and stay as they are as the reserve. */
  kept: number[];
  /** Not tried: the budget of migrations is too small for their instances. */
  beyondBudget: number[];
  /** Not tried: the migrations cost more than the host is worth while it stays free. */
  tooDear: number[];
  /** Notes of the failure reserve. */
  reserveNotes: string[];
}

/**
 * Empties as many hosts as it can and as pay, those with the least loss first, and always leaves one. A host is emptied
 * completely or not at all, so that no migration is in vain. Within the budget of migrations (0: no limit). The last
 * `reserve` of the hosts that could be emptied stay as they are, and so do those that failure domains need as their
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
  const prices = new Map(hosts.map((host) => [host, priceOfEmptying(space, host, departed)]));
  const pays = (host: number) => (prices.get(host) ?? 0) <= horizonMinutes;
  const tooDear = hosts.filter((host) => !pays(host));
  for (const host of tooDear) blocked.add('price-of-migrations', hostAt(space.model.snapshot, host).hostname);
  const emptied: { host: number; mark: number }[] = [];
  const beyondBudget: number[] = [];
  let inUse = hosts.length;
  for (const host of inOrder(space, hosts.filter(pays), prices)) {
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
    if (!emptyHost(space, host, domains, blocked)) continue;
    space.model.setEnabled(host, false);
    emptied.push({ host, mark });
    inUse--;
  }
  const kept = reserve > 0 ? emptied.splice(-reserve).reverse() : [];
  for (const { host, mark } of kept) {
    space.undoTo(mark);
    space.model.setEnabled(host, true);
    space.destinations.add(host, space.free(host));
  }
  const rows = (hosts: readonly { host: number }[]) => hosts.map(({ host }) => host);
  return { freed: rows(emptied), kept: rows(kept), beyondBudget, tooDear, reserveNotes: domains.report(blocked) };
}

import { holdsForeignAllocation } from '../shared/hosts/allocation-values.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { moveCost } from '../shared/moves/move-cost.ts';
import { isSpent } from '../shared/moves/shared-parameters.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import { createFailureReserve, type FailureReserve } from '../shared/reserve/failure-reserve.ts';
import { mainObstacle, tightestDestination, type Workspace } from './workspace.ts';

/** Memory to copy, including pages that are dirtied during the copy, plus overhead of every instance, in MiB. */
function costOfEmptying(space: Workspace, host: number): number {
  const { vcpus } = space.model.snapshot.instances;
  const percent = (instance: number) => (space.use.instanceCpu(instance) / (vcpus[instance] as number)) * 100;
  return space.model
    .instancesOn(host)
    .reduce((cost, instance) => cost + moveCost(space.model, instance, percent(instance)), 0);
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
  /** Notes of the failure reserve. */
  reserveNotes: string[];
}

/**
 * Empties as many hosts as it can, the cheapest first, and always leaves one. A host is emptied completely or not at
 * all, so that no migration is in vain. Within the budget of migrations (0: no limit). The last `reserve` of the hosts
 * that could be emptied stay as they are, and so do those that failure domains need as their reserve.
 */
export function emptyHosts(
  space: Workspace,
  hosts: readonly number[],
  blocked: BlockedTally,
  {
    budget,
    reserve,
    failureReserve,
    signal,
  }: { budget?: number; reserve: number; failureReserve: number; signal: AbortSignal },
): EmptiedHosts {
  const domains = createFailureReserve(space.model, acceptingHosts(space.model), failureReserve);
  const costs = new Map(hosts.map((host) => [host, costOfEmptying(space, host)]));
  const order = [...hosts].sort((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0) || a - b);
  const emptied: { host: number; mark: number }[] = [];
  const beyondBudget: number[] = [];
  let inUse = hosts.length;
  for (const host of order) {
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
  return { freed: rows(emptied), kept: rows(kept), beyondBudget, reserveNotes: domains.report(blocked) };
}

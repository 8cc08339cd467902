import type { BlockedTally } from '../blocked-tally.ts';
import { hostAt, instanceAt, instanceLabel } from '../rows.ts';
import { mainObstacle, tightestDestination, type Workspace } from './workspace.ts';

/** What one migration costs besides the memory that it copies, in MiB: set-up, hand-over, a pause of the instance. */
const migrationOverheadMib = 2048;

/** Memory to copy plus overhead of every instance, in MiB. */
function costOfEmptying(space: Workspace, host: number): number {
  const { memory } = space.model.snapshot.instances;
  return space.model
    .instancesOn(host)
    .reduce((cost, instance) => cost + (memory[instance] as number) + migrationOverheadMib, 0);
}

/** Why a host can not be emptied whatever room there is; null when it may be tried. */
function hindrance(space: Workspace, host: number, blocked: BlockedTally): string | null {
  const { model } = space;
  let own = 0;
  for (const instance of model.instancesOn(host)) {
    own += model.snapshot.instances.vcpus[instance] as number;
    const reason = model.immovable(instance);
    if (reason === null) continue;
    blocked.add(reason, instanceLabel(instanceAt(model.snapshot, instance)));
    return reason;
  }
  return model.used(host).vcpus > own + 1e-6 ? 'foreign-allocation' : null;
}

/** Moves everything off the host, or nothing; true when the host is empty. */
function emptyHost(space: Workspace, host: number, blocked: BlockedTally): boolean {
  const mark = space.mark();
  const { memory } = space.model.snapshot.instances;
  const byNeed = [...space.model.instancesOn(host)].sort(
    (a, b) => space.need(b) - space.need(a) || (memory[b] as number) - (memory[a] as number) || a - b,
  );
  space.destinations.remove(host);
  for (const instance of byNeed) {
    const found = tightestDestination(space, instance);
    if (found.host >= 0) {
      space.move(instance, found.host, { rule: 'empty-host', found });
      continue;
    }
    space.undoTo(mark);
    space.destinations.add(host, space.free(host));
    blocked.add(mainObstacle(space, found), instanceLabel(instanceAt(space.model.snapshot, instance)));
    return false;
  }
  return true;
}

/**
 * Empties as many hosts as it can, the cheapest first, and always leaves one. A host is emptied completely or not at all, so
 * that no migration is in vain. Returns the emptied hosts in that order, those that were empty before included.
 */
export function emptyHosts(
  space: Workspace,
  hosts: readonly number[],
  blocked: BlockedTally,
  signal: AbortSignal,
): number[] {
  const costs = new Map(hosts.map((host) => [host, costOfEmptying(space, host)]));
  const order = [...hosts].sort((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0) || a - b);
  const emptied: number[] = [];
  let inUse = hosts.length;
  for (const host of order) {
    signal.throwIfAborted();
    if (inUse <= 1) break;
    const against = hindrance(space, host, blocked);
    if (against === 'foreign-allocation') blocked.add(against, hostAt(space.model.snapshot, host).hostname);
    if (against !== null || !emptyHost(space, host, blocked)) continue;
    space.model.setEnabled(host, false);
    emptied.push(host);
    inUse--;
  }
  return emptied;
}

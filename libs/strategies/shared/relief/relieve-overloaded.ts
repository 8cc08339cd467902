import type { WhatIf } from '#libs/cluster-model';
import { hostAt, instanceAt, instanceLabel } from '../hosts/rows.ts';
import { earlierFreedHosts } from '../moves/actions.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { createReserveGuard } from '../reserve/reserve-guard.ts';
import { type Found, obstacle, tightestDestination, type Workspace } from './workspace.ts';

/** Rule of the reasons of its moves. */
export const reliefRule = 'relieve-overload';
/** Maximum destinations of an instance whose reserve is checked. A check reads every host of the domain. */
const mostChecked = 64;
/** Rounding tolerance of CPU use. */
const slack = 1e-9;

/** Result of relieving hosts. */
export interface Relief {
  /** Hosts that were overloaded. They receive no instances later. */
  relieved: number[];
  /** Disabled hosts that must be enabled. */
  enabled: number[];
}

/** Relief in progress. */
interface Reliefs extends Relief {
  /** Disabled hosts that can be enabled. */
  sleeping: readonly number[];
  /** The reserve for the most hosts that may fail first, then those for fewer hosts. */
  reserves: readonly ReliefReserve[];
}

/**
 * Instances in the order that relieves the host with the fewest moves: the smallest that is sufficient alone first,
 * then the largest of the others.
 */
function byUsefulness(space: Workspace, host: number): number[] {
  const excess = space.use.excessCpu(host);
  const cpu = (instance: number) => space.use.instanceCpu(instance);
  const movable = space.model.instancesOn(host).filter((instance) => space.immovable(instance) === null);
  const enough = movable.filter((instance) => cpu(instance) >= excess);
  const others = movable.filter((instance) => cpu(instance) < excess && cpu(instance) > 0);
  return [...enough.sort((a, b) => cpu(a) - cpu(b) || a - b), ...others.sort((a, b) => cpu(b) - cpu(a) || a - b)];
}

/** Domains that keep their reserve with a move: `all`, those that do not lack it already (`whole`), or fewer. */
type Kept = 'all' | 'whole' | 'less';

/** Failure reserve while hosts are relieved. */
interface ReliefReserve {
  kept(instance: number, host: number): Kept;
  /** Must be called after a move. Later moves must not reduce the reserve further. */
  moved(from: number, to: number): void;
}

/** @param hosts hosts of each failure domain that may fail simultaneously */
function createReliefReserve(model: WhatIf, hosts: number): ReliefReserve {
  const guard = createReserveGuard(model, hosts);
  return {
    kept(instance, host) {
      const from = model.hostOf[instance] as number;
      model.move(instance, host);
      const keepsAll = guard.keeps([from, host]);
      const keepsWhole = guard.keepsWhole();
      model.move(instance, from);
      guard.keeps([from, host]);
      if (keepsAll) return 'all';
      return keepsWhole ? 'whole' : 'less';
    },
    moved: (from, to) => void guard.keeps([from, to], true),
  };
}

/**
 * The destination with which failure domains keep the reserve for the most hosts, else the reserve for one host where
 * they have it. Null without one.
 */
function keepingDestination(space: Workspace, instance: number, { reserves }: Reliefs): Found | null {
  let kept = new Map<number, Kept>();
  for (const reserve of reserves) {
    kept = new Map();
    const keepsAll = (host: number) => {
      if (kept.size >= mostChecked) return false;
      const left = reserve.kept(instance, host);
      kept.set(host, left);
      return left === 'all';
    };
    const found = tightestDestination(space, instance, keepsAll);
    if (found.host >= 0) return found;
  }
  if (![...kept.values()].includes('whole')) return null;
  return tightestDestination(space, instance, (host) => kept.get(host) === 'whole');
}

/** Prefers hosts that are enabled, and of those the hosts with which failure domains keep their reserve. */
function destinationFor(space: Workspace, instance: number, relief: Reliefs): Found {
  const keeping = keepingDestination(space, instance, relief);
  if (keeping !== null) return keeping;
  const awake = tightestDestination(space, instance);
  if (awake.host >= 0) return awake;
  const host = relief.sleeping.find(
    (row) => space.model.enabled[row] === 0 && obstacle(space, instance, row, true) === null,
  );
  if (host === undefined) return awake;
  relief.enabled.push(host);
  space.model.setEnabled(host, true);
  space.destinations.add(host, space.free(host));
  return { ...awake, host };
}

function moveOne(space: Workspace, host: number, relief: Reliefs): boolean {
  for (const instance of byUsefulness(space, host)) {
    const found = destinationFor(space, instance, relief);
    if (found.host < 0) continue;
    space.move(instance, found.host, { rule: reliefRule, found });
    for (const reserve of relief.reserves) reserve.moved(host, found.host);
    return true;
  }
  return false;
}

/**
 * Moves instances off hosts whose CPU use has lasted above the threshold `hot`, the worst host first, down to the
 * threshold `relief`. Of the destinations, those that keep the failure reserve are preferred. No host stays hot for
 * it.
 * @param hosts hosts with known use. Only these are relieved, or enabled when no other host has room
 * @param failureReserve hosts of each failure domain that may fail simultaneously
 * @param mostMoves maximum migrations. Default: no limit
 */
export function relieveOverloaded(
  space: Workspace,
  hosts: readonly number[],
  blocked: BlockedTally,
  { failureReserve, mostMoves = Number.POSITIVE_INFINITY }: { failureReserve: number; mostMoves?: number },
): Relief {
  const overloaded = hosts
    .filter((host) => space.use.overloaded(host))
    .sort((a, b) => space.use.excessCpu(b) - space.use.excessCpu(a) || a - b);
  if (overloaded.length === 0) return { relieved: [], enabled: [] };
  const isKnown = new Set(hosts);
  const relief: Reliefs = {
    relieved: [],
    enabled: [],
    sleeping: earlierFreedHosts(space.model).filter((host) => isKnown.has(host)),
    reserves: Array.from({ length: failureReserve }, (_, fewer) =>
      createReliefReserve(space.model, failureReserve - fewer),
    ),
  };
  for (const host of overloaded) space.destinations.remove(host);
  for (const host of overloaded) {
    relief.relieved.push(host);
    while (space.use.excessCpu(host) > slack) {
      if (space.mark() < mostMoves && moveOne(space, host, relief)) continue;
      if (!space.use.overloaded(host)) break;
      blocked.add('overload-remains', hostAt(space.model.snapshot, host).hostname);
      reportImmovable(space, host, blocked);
      break;
    }
  }
  return relief;
}

function reportImmovable(space: Workspace, host: number, blocked: BlockedTally): void {
  for (const instance of space.model.instancesOn(host)) {
    const reason = space.immovable(instance);
    if (reason !== null) blocked.add(reason, instanceLabel(instanceAt(space.model.snapshot, instance)));
  }
}

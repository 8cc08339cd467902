import { hostEffectOf } from '#libs/actions';
import type { HostResources, HostUse, PlanHosts } from '#libs/domain';
import type { ActionView } from '#libs/store';

/** A host that the plan touches. */
export interface HostEffect {
  hostname: string;
  /** Null as `before`. */
  capacity: HostResources | null;
  /** At plan creation. Null for a plan without stored values. */
  before: HostUse | null;
  /** After the whole plan, as predicted at creation. Null as `before`. */
  after: HostUse | null;
  /** After the actions that have completed so far. Null as `before`. */
  soFar: HostUse | null;
  /** In the newest model of the cloud. Null when it is unknown or has no such host. */
  today: HostUse | null;
  instancesIn: number;
  instancesOut: number;
}

/**
 * Hosts that a plan touches, by name. `stored`: the values from plan creation, null without them. They are never
 * computed again. `today`: hosts of the newest model, empty when it is unavailable.
 */
export function hostEffects(
  actions: readonly ActionView[],
  stored: PlanHosts | null,
  today: ReadonlyMap<string, HostUse>,
): HostEffect[] {
  const soFar = stored ? usesSoFar(actions, stored) : null;
  const known = new Map(stored?.hosts.map((host) => [host.hostname, host]));
  return touchedHosts(actions, stored).map(({ hostname, instancesIn, instancesOut }) => {
    const host = known.get(hostname);
    return {
      hostname,
      capacity: host?.capacity ?? null,
      before: host?.before ?? null,
      after: host?.after ?? null,
      soFar: soFar?.get(hostname) ?? null,
      today: today.get(hostname) ?? null,
      instancesIn,
      instancesOut,
    };
  });
}

/** Names of the hosts that the plan touches. */
export function namesOfHosts(actions: readonly ActionView[], stored: PlanHosts | null): string[] {
  return touchedHosts(actions, stored).map(({ hostname }) => hostname);
}

function touchedHosts(actions: readonly ActionView[], stored: PlanHosts | null) {
  if (stored) return stored.hosts;
  const found = new Map<string, { hostname: string; instancesIn: number; instancesOut: number }>();
  const touch = (hostname: string | null) => {
    const host = { hostname: hostname ?? '', instancesIn: 0, instancesOut: 0 };
    if (hostname === null) return host;
    const known = found.get(hostname) ?? host;
    found.set(hostname, known);
    return known;
  };
  for (const effect of actions.map(hostEffectOf)) {
    if (effect?.kind === 'service') touch(effect.hostname);
    if (effect?.kind !== 'move') continue;
    touch(effect.from).instancesOut += 1;
    touch(effect.to).instancesIn += 1;
  }
  return [...found.values()].sort((a, b) => (a.hostname < b.hostname ? -1 : 1));
}

/** Actions that succeeded and were not undone, in the order in which they ended. */
function carriedOut(actions: readonly ActionView[]): ActionView[] {
  return actions
    .filter(({ state, rollbackState }) => state === 'SUCCEEDED' && rollbackState !== 'SUCCEEDED')
    .sort((a, b) => (a.endedAt?.getTime() ?? 0) - (b.endedAt?.getTime() ?? 0));
}

function usesSoFar(actions: readonly ActionView[], { hosts, moved }: PlanHosts): Map<string, HostUse> {
  const uses = new Map(hosts.map(({ hostname, before }) => [hostname, { ...before }]));
  const placeOf = new Map(Object.entries(moved).map(([uuid, { host }]) => [uuid, host]));
  const add = (hostname: string | null, size: HostResources | undefined, sign: 1 | -1) => {
    const use = uses.get(hostname ?? '');
    if (!use || !size) return;
    // The load of a host between its migrations was not measured.
    delete use.cpuLoad;
    use.instances += sign;
    for (const resource of ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const)
      use[resource] += sign * size[resource];
  };
  for (const effect of carriedOut(actions).map(hostEffectOf)) {
    if (effect?.kind === 'service') {
      const use = uses.get(effect.hostname);
      if (use) use.enabled = effect.enabled;
    }
    if (effect?.kind !== 'move') continue;
    add(placeOf.get(effect.instance) ?? null, moved[effect.instance], -1);
    add(effect.to, moved[effect.instance], 1);
    placeOf.set(effect.instance, effect.to);
  }
  return uses;
}

import type { WhatIf } from '#libs/cluster-model';
import type { BlockedTally } from '../blocked-tally.ts';
import { holdsForeignAllocation } from '../foreign-allocation.ts';
import { createOrderedHosts, type OrderedHosts } from '../ordered-hosts.ts';
import { hostAt } from '../rows.ts';
import { createSoftChoice } from '../soft-choice.ts';

/** An instance that leaves a source, and where there is room for it. */
export interface Placement {
  instance: number;
  to: number;
}

/** A host that can be emptied, with its instances in the order of their moves. */
export interface Source {
  host: number;
  placements: Placement[];
}

/** The hosts by their part in the plan. */
export interface Groups {
  /** Up hosts without anything allocated on them. */
  free: number[];
  /** In the order in which they are emptied. */
  sources: Source[];
  /** Hosts that take instances, or that must stay, in the order in which that was found. */
  destinations: number[];
}

/** Order of the moves of one host: most vcpus first. */
function byFallingVcpus(model: WhatIf, host: number): number[] {
  const { vcpus } = model.snapshot.instances;
  return [...model.instancesOn(host)].sort((a, b) => (vcpus[b] as number) - (vcpus[a] as number) || a - b);
}

interface Packing {
  model: WhatIf;
  /** Hosts that may take instances, by free vcpus. */
  room: OrderedHosts;
  destinations: Set<number>;
}

function shift({ model, room }: Packing, instance: number, to: number): void {
  const from = model.hostOf[instance] as number;
  model.move(instance, to);
  for (const host of [from, to]) room.update(host, model.free(host).vcpus);
}

/** The host with the fewest free vcpus that takes the instance, or what stood against the last one asked. */
function tightest({ model, room }: Packing, instance: number): number | string {
  const need = model.needs(instance).vcpus;
  const choice = createSoftChoice(model, instance);
  let because = 'vcpu';
  for (let place = room.firstAtLeast(need); place < room.size; place++) {
    const host = room.at(place);
    const refusal = model.refusal(instance, host);
    if (refusal !== null) because = refusal;
    else if (choice.offer(host)) break;
  }
  return choice.host >= 0 ? choice.host : because;
}

/** Places all instances of a host, or none; answers what stood against it. */
function empty(packing: Packing, host: number): Placement[] | string {
  const { model } = packing;
  if (holdsForeignAllocation(model, host)) return 'foreign-allocation';
  const instances = byFallingVcpus(model, host);
  for (const instance of instances) {
    const immovable = model.immovable(instance);
    if (immovable !== null) return immovable;
  }
  const placements: Placement[] = [];
  for (const instance of instances) {
    const found = tightest(packing, instance);
    if (typeof found === 'number') {
      shift(packing, instance, found);
      placements.push({ instance, to: found });
      continue;
    }
    for (const { instance: placed } of placements.reverse()) shift(packing, placed, host);
    return found;
  }
  return placements;
}

/**
 * Divides the given hosts. Those with the fewest allocated vcpus become sources if all their instances fit on hosts with
 * more; a host that has taken something stays, and one with an instance whose migration failed lately takes nothing. Afterwards the model is as the plan leaves it.
 */
export function groupHosts(model: WhatIf, hosts: readonly number[], blocked: BlockedTally): Groups {
  const used = new Map(hosts.map((host) => [host, model.used(host).vcpus]));
  const rising = [...hosts].sort((a, b) => (used.get(a) as number) - (used.get(b) as number) || a - b);
  const occupied = rising.filter((host) => model.instancesOn(host).length > 0);
  const packing: Packing = {
    model,
    room: createOrderedHosts(
      occupied.filter((host) => model.enabled[host] === 1),
      (host) => model.free(host).vcpus,
    ),
    destinations: new Set(),
  };
  const free = rising.filter((host) => model.instancesOn(host).length === 0 && !holdsForeignAllocation(model, host));
  const sources: Source[] = [];
  for (const host of occupied) {
    if (packing.destinations.has(host)) continue;
    packing.room.remove(host);
    const result = empty(packing, host);
    if (typeof result !== 'string') {
      sources.push({ host, placements: result });
      for (const { to } of result) packing.destinations.add(to);
      continue;
    }
    blocked.add(result, hostAt(model.snapshot, host).hostname);
    if (model.enabled[host] === 1) {
      // A host that an instance could not leave is not trusted with more.
      if (result !== 'migration-failed') packing.room.add(host, model.free(host).vcpus);
      packing.destinations.add(host);
    }
  }
  return { free, sources, destinations: [...packing.destinations] };
}

import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { packAndSpread } from '#libs/domain';
import { hostsInUseBound } from '#libs/optimizer';
import type { HotLimits } from './hot-limits.ts';
import type { Loads } from './loads.ts';
import { headroomSteps, loadOf, reliefTerms, type Term } from './terms.ts';

const { pack: packTerm, spread: spreadTerm } = packAndSpread.terms;

/** Hosts that hold all instances, at least: as many as the sums of their allocations and CPU loads request. */
function leastHosts(model: WhatIf, cpu: Float64Array, limits: HotLimits): number {
  const hosts = [...model.snapshot.hostInfo.keys()];
  const needs = (host: number, resource: 'vcpus' | 'memory' | 'disk') =>
    model.instancesOn(host).reduce((sum, row) => sum + model.needs(row)[resource], 0);
  const demands = (['vcpus', 'memory', 'disk'] as const).map((resource) => ({
    demand: hosts.reduce((sum, host) => sum + needs(host, resource), 0),
    // A host that is disabled, or above its capacity, may stay so.
    capacities: hosts.map((host) =>
      Math.max(model.enabled[host] === 1 ? model.capacity(host)[resource] : 0, needs(host, resource)),
    ),
  }));
  const size = totalCpus(model.snapshot);
  const loads = hosts.map((host) => loadOf(model, cpu, host));
  // No plan fills a host above its limit. One that is above it may stay so.
  const mostLoad = (load: number, host: number) =>
    Math.max(model.enabled[host] === 1 ? (size[host]! * limits.cpu) / 100 : 0, load);
  demands.push({ demand: loads.reduce((sum, load) => sum + load, 0), capacities: loads.map(mostLoad) });
  const least = hostsInUseBound(demands);
  return Number.isFinite(least) ? least : 0;
}

/** Hosts with instances. A host has one place, which its first instance takes. Any number of them takes no more. */
function hostsInUse(model: WhatIf, cpu: Float64Array, limits: HotLimits): Term {
  const { instanceInfo, hostInfo } = model.snapshot;
  // A power of two: sums of it have no rounding.
  const share = 2 ** -Math.ceil(Math.log2(instanceInfo.length + 1));
  const use = new Float64Array(instanceInfo.length).fill(share);
  return {
    ...{ level: 2, name: packTerm, unit: 'hosts' },
    hinges: [{ weight: 0, use, limit: new Float64Array(hostInfo.length).fill(1) }],
    places: [{ label: 'no instance', needs: [1] }],
    least: leastHosts(model, cpu, limits),
  };
}

/**
 * The aims `pack` and `spread` as terms of one unit: hosts in use, and hosts near their limit. A host at its relief
 * target counts as one that is near its limit, below it as a part of one that falls faster than its load. So a host is
 * emptied while that fills others by less than one host, and its instances go to the hosts with the most headroom.
 */
export function packAndSpreadTerms(model: WhatIf, loads: Pick<Loads, 'cpu' | 'lastsAt'>, limits: HotLimits): Term[] {
  const size = totalCpus(model.snapshot);
  const mean = size.reduce((sum, own) => sum + own, 0) / Math.max(1, size.length);
  const atTarget = (mean * headroomSteps.reduce((sum, step) => sum + step, 0)) / 100;
  const weight = atTarget > 0 ? 1 / atTarget : 0;
  const nearLimit = reliefTerms(model, loads, limits).map(
    (term): Term => ({
      ...term,
      ...{ name: spreadTerm, unit: 'hosts', pointsLike: packTerm },
      hinges: term.hinges.map((hinge) => ({ ...hinge, weight })),
    }),
  );
  return [hostsInUse(model, loads.cpu, limits), ...nearLimit];
}

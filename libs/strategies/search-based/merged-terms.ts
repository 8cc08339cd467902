import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { packAndSpread } from '#libs/domain';
import { hostsInUseBound } from '#libs/optimizer';
import type { HotLimits } from './hot-limits.ts';
import type { Loads } from './loads.ts';
import { headroomSteps, loadOf, reliefTerms, type Term } from './terms.ts';

const { pack: packTerm, spread: spreadTerm } = packAndSpread.terms;

/** Minimum number of hosts for all instances, from the sums of their allocations and CPU loads. */
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
  // No plan fills a host above its limit. A host that is above it may stay so.
  const mostLoad = (load: number, host: number) =>
    Math.max(model.enabled[host] === 1 ? (size[host]! * limits.cpu) / 100 : 0, load);
  demands.push({ demand: loads.reduce((sum, load) => sum + load, 0), capacities: loads.map(mostLoad) });
  const least = hostsInUseBound(demands);
  return Number.isFinite(least) ? least : 0;
}

/** Counts hosts with instances. A host has one place, which its first instance takes. Further instances take none. */
function hostsInUse(model: WhatIf, cpu: Float64Array, limits: HotLimits): Term {
  const { instanceInfo, hostInfo } = model.snapshot;
  // A power of two, so that sums have no rounding errors.
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
 * The aims `pack` and `spread` as terms with one unit: hosts in use, and hosts near their limit. A host at its relief
 * target counts as one host near its limit. Below it, the count falls faster than the load. A host is therefore
 * emptied when that costs less than one host near its limit, and its instances go to the hosts with the most headroom.
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

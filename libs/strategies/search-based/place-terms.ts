import { type InstanceTest, licensedTest, type WhatIf } from '#libs/cluster-model';
import { InvalidInputError, nearestHint } from '#libs/domain';
import { hostsInUseBound } from '#libs/optimizer';
import type { Hinge } from '#libs/plugin-kit';
import { acceptingHosts } from '../shared/hosts/rows.ts';
import { type PlaceResource, roomForInstances, type Term } from './terms.ts';

/** Amount of a resource that an instance takes of a host. */
type Size = ReturnType<WhatIf['needs']>;

const resources: PlaceResource[] = ['vcpus', 'memory', 'disk', 'dedicatedCpus'];

interface Flavor {
  label: string;
  size: Size;
}

/** By CPUs, then memory, then disk. With equal CPUs, shared CPUs come first. */
const bySize = (one: Size, other: Size) =>
  one.vcpus + one.dedicatedCpus - other.vcpus - other.dedicatedCpus ||
  one.memory - other.memory ||
  one.disk - other.disk ||
  one.vcpus - other.vcpus;

/**
 * Flavors in use, the largest first, each with the demand of its largest instance. An instance booted from a volume
 * needs no disk.
 */
function flavorsInUse(model: WhatIf): Flavor[] {
  const found = new Map<string, Flavor>();
  model.snapshot.instanceInfo.forEach(({ flavorName }, row) => {
    const size = model.needs(row);
    const label = flavorName ?? `${size.vcpus + size.dedicatedCpus} vcpus and ${size.memory} MiB`;
    const known = found.get(label);
    if (known === undefined || bySize(size, known.size) > 0) found.set(label, { label, size });
  });
  return [...found.values()].sort((a, b) => bySize(b.size, a.size));
}

/** @throws InvalidInputError when no instance has a flavor, with the nearest name. Its size is then unknown. */
function chosenFlavors(model: WhatIf, names: readonly string[]): Flavor[] {
  const known = flavorsInUse(model);
  if (names.length === 0) return known.slice(0, 1);
  return names.map((name) => {
    const flavor = known.find(({ label }) => label === name);
    if (flavor !== undefined) return flavor;
    const hint = nearestHint(
      name,
      known.map(({ label }) => label),
    );
    throw new InvalidInputError('flavors', `no instance in the scope of the audit has the flavor ${name}${hint}`);
  });
}

/** Capacity of a host for its instances in a resource. */
export function roomOf(model: WhatIf, host: number, resource: PlaceResource): number {
  if (resource !== 'dedicatedCpus') return roomForInstances(model, host, resource);
  const residents = model.instancesOn(host).reduce((sum, row) => sum + model.needs(row).dedicatedCpus, 0);
  return model.freeDedicatedCpus(host) + residents;
}

/**
 * Capacity of hosts as a wall without a cost: use of a resource by instances, up to the capacity of hosts that accept
 * instances.
 */
function wall(model: WhatIf, { size }: Flavor, resource: PlaceResource): Hinge {
  const { hosts, hostInfo, instanceInfo } = model.snapshot;
  // A physically smaller host accepts no instance of the flavor, regardless of its free capacity.
  const total = resource === 'dedicatedCpus' ? null : hosts[resource];
  const limit = Float64Array.from(hostInfo, (_, host) => {
    const isTooSmall = total !== null && total[host]! < size[resource];
    return model.enabled[host] === 1 && !isTooSmall ? Math.max(0, roomOf(model, host, resource)) : 0;
  });
  return { weight: 0, use: Float64Array.from(instanceInfo, (_, row) => model.needs(row)[resource]), limit };
}

/**
 * The aim `defragment`: places for large flavors (default the largest in use) on hosts that accept instances. A
 * missing place is one that a host would have if it were empty.
 */
export function defragmentTerms(model: WhatIf, names: readonly string[]): Term[] {
  return chosenFlavors(model, names).map((flavor): Term => {
    const needed = resources.filter((resource) => flavor.size[resource] > 0);
    return {
      level: 2,
      name: `missing_places:${flavor.label}`,
      unit: 'places',
      hinges: needed.map((resource) => wall(model, flavor, resource)),
      places: [{ label: flavor.label, needs: needed.map((resource) => flavor.size[resource]), resources: needed }],
    };
  });
}

/** Minimum number of hosts for the licensed instances, from their total size. */
function leastLicensed(model: WhatIf, rows: readonly number[]): number {
  const hosts = [...new Set([...acceptingHosts(model), ...rows.map((row) => model.hostOf[row] as number)])];
  const demands = (['vcpus', 'memory', 'disk'] as const).map((resource) => ({
    demand: rows.reduce((sum, row) => sum + model.needs(row)[resource], 0),
    capacities: hosts.map((host) => {
      const own = rows.filter((row) => model.hostOf[row] === host);
      // A host above its capacity may stay so.
      return Math.max(
        model.capacity(host)[resource],
        own.reduce((sum, row) => sum + model.needs(row)[resource], 0),
      );
    }),
  }));
  const least = hostsInUseBound(demands);
  return Number.isFinite(least) ? least : 0;
}

/**
 * The aim `licences`: few hosts that run licensed images. A license covers the whole host. `licensed`:
 * `property=pattern`, see `licensedTest`.
 */
export function licenceTerms(model: WhatIf, licensed: readonly string[]): Term[] {
  const isLicensed: InstanceTest = licensedTest(licensed);
  const { instanceInfo, hostInfo } = model.snapshot;
  const rows = instanceInfo.flatMap((info, row) => ((model.hostOf[row] as number) >= 0 && isLicensed(info) ? row : []));
  if (rows.length === 0) return [];
  // A host has one place, which the first licensed instance takes. Further instances take none.
  const share = 1 / (rows.length + 1);
  const use = new Float64Array(instanceInfo.length);
  for (const row of rows) use[row] = share;
  return [
    {
      level: 2,
      name: 'licensed_hosts',
      unit: 'hosts',
      hinges: [{ weight: 0, use, limit: new Float64Array(hostInfo.length).fill(1) }],
      places: [{ label: 'no licensed image', needs: [1] }],
      least: leastLicensed(model, rows),
    },
  ];
}

import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { daysUntilFull, type Trend, trendOfDays } from '#libs/forecast';
import type { CapacityResource, RpcRefusal } from '#libs/messaging';
import { acceptingHosts, countPlaces, frequentFlavors, hostsOfParts, placesAmong, runInTurns } from '#libs/what-if';
import type { DayReader } from './day-reader.ts';
import { type CapacityPart, fullBody, measuredDays, rounded2, trendBody, unknownPart } from './forecast-bodies.ts';

const limits = { computeMs: 30_000, parts: 100 };

/** Refusals of hosts that never accept the flavor, or accept no instance now. */
const refusing = new Set<string | null>([
  ...['host-down', 'host-disabled', 'aggregate-isolation', 'trait', 'capability', 'hypervisor-type'],
  'cpu-architecture',
]);

type FoundPlaces = Pick<CapacityPart, 'places' | 'is_exact' | 'parts'>;

/**
 * Counts the exact places for a flavor, in total and by zone and aggregate, as `vigil whatif place` does. Computes the
 * growth of the memory that the flavors of all instances request. Their CPUs grow in the current proportion. Refusal:
 * `flavor_not_found`.
 */
export async function capacityOfFlavor(
  snapshot: ComputeSnapshot,
  name: string,
  days: DayReader,
): Promise<CapacityPart | RpcRefusal> {
  const { instances, instanceInfo } = snapshot;
  const rows = [...instanceInfo.keys()].filter((row) => instanceInfo[row]?.flavorName === name);
  const [first] = rows;
  if (first === undefined)
    return unknownPart('flavor', name, new Set(instanceInfo.flatMap((info) => info.flavorName ?? [])));
  const room = await roomOf(snapshot, name, rows);
  const { capacity, used, needs, hosts } = room;
  const cpusOfMib = sum(instances.vcpus) / Math.max(1, sum(instances.memory));
  const mib = Float64Array.from(await days.instanceSums('instance_ram_allocated'));
  const trend = trendOfDays(mib);
  const perMib = Math.max(1 / needs.memory, cpusOfMib / Math.max(needs.vcpus, needs.dedicatedCpus));
  const resourceOf = (resource: 'cpu' | 'memory'): CapacityResource => {
    const size = capacity[resource];
    const percent = size > 0 ? (100 * used[resource]) / size : Number.NaN;
    const own = scaled(trend, ((resource === 'cpu' ? cpusOfMib : 1) * 100) / Math.max(1, size));
    return {
      ...{ resource, basis: 'allocated', size, trend: trendBody(own) },
      full: fullBody(daysUntilFull(percent, 100, own), '100 %'),
      percent: Number.isNaN(percent) ? null : rounded2(percent),
    };
  };
  return {
    ...{ id: name, name, hosts, ...room.found, history_days: measuredDays(mib) },
    resources: [resourceOf('cpu'), resourceOf('memory')],
    full: fullBody(daysUntilFull(0, room.found.places ?? 0, scaled(trend, perMib)), 'its last place'),
  };
}

/** Room of the cloud for a flavor. It depends on the model alone. */
interface FlavorRoom {
  found: FoundPlaces;
  /** Number of hosts that accept the flavor. */
  hosts: number;
  /** Sums over these hosts. */
  capacity: Record<CapacityResource['resource'], number>;
  used: Record<CapacityResource['resource'], number>;
  /** Needs of an instance of the flavor. */
  needs: ReturnType<WhatIf['needs']>;
}

/** Rooms by model and flavor. A changed model is another object. */
const rooms = new WeakMap<ComputeSnapshot, Map<string, Promise<FlavorRoom>>>();

function roomOf(snapshot: ComputeSnapshot, name: string, rows: readonly number[]): Promise<FlavorRoom> {
  const ofModel = rooms.get(snapshot) ?? new Map<string, Promise<FlavorRoom>>();
  rooms.set(snapshot, ofModel);
  const known = ofModel.get(name);
  if (known !== undefined) return known;
  const made = measureRoom(snapshot, name, rows);
  ofModel.set(name, made);
  made.catch(() => ofModel.delete(name));
  return made;
}

/** @param rows of the instances of the flavor */
async function measureRoom(snapshot: ComputeSnapshot, name: string, rows: readonly number[]): Promise<FlavorRoom> {
  const model = createWhatIf(snapshot);
  const found = await placesOf(model, name);
  const example = rows.find((row) => model.immovable(row) === null) ?? (rows[0] as number);
  const hosts = acceptingHosts(model).filter((host) => !refusing.has(model.refusal(example, host)));
  return {
    ...{ found, hosts: hosts.length, needs: model.needs(example) },
    capacity: {
      cpu: sum(hosts.map((h) => model.capacity(h).vcpus)),
      memory: sum(hosts.map((h) => model.capacity(h).memory)),
    },
    used: { cpu: sum(hosts.map((h) => model.used(h).vcpus)), memory: sum(hosts.map((h) => model.used(h).memory)) },
  };
}

function sum(values: ArrayLike<number>): number {
  return Array.from(values).reduce((total, value) => total + value, 0);
}

function scaled(trend: Trend, factor: number): Trend {
  const { perDay, lowPerDay, highPerDay } = trend;
  return { ...trend, perDay: perDay * factor, lowPerDay: lowPerDay * factor, highPerDay: highPerDay * factor };
}

/** Places in total, and by zone and aggregate. Each part is counted separately, since hosts may share storage. */
async function placesOf(model: WhatIf, name: string): Promise<FoundPlaces> {
  const { snapshot } = model;
  const [flavor] = frequentFlavors(snapshot, name);
  const signal = AbortSignal.timeout(limits.computeMs);
  const [places] =
    flavor === undefined ? [] : await runInTurns(countPlaces(snapshot, acceptingHosts(model), [flavor]), signal);
  const { hostInfo, aggregates } = snapshot;
  const parts = [
    ...[...hostsOfParts(snapshot, 'zone')].map(([part, rows]) => ({ kind: 'zone' as const, name: part, rows })),
    ...aggregates.map((aggregate, index) => ({
      ...{ kind: 'aggregate' as const, name: aggregate.name },
      rows: [...hostInfo.keys()].filter((row) => hostInfo[row]?.aggregates.includes(index)),
    })),
  ];
  const counted = parts.slice(0, limits.parts).map(({ kind, name: part, rows }) => ({
    ...{ kind, name: part, hosts: rows.length },
    places: flavor && places ? placesAmong(snapshot, flavor, { places, hosts: rows }) : 0,
  }));
  return { places: places?.total ?? 0, is_exact: places?.isExact ?? true, parts: counted };
}

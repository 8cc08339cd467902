import { type ComputeSnapshot, createWhatIf, type WhatIf } from '#libs/cluster-model';
import { daysUntilFull, type Trend, trendOfDays } from '#libs/forecast';
import { type CapacityResource, isRefusal, type RpcRefusal } from '#libs/messaging';
import { acceptingHosts, countPlaces, frequentFlavors, hostsOfParts, runInTurns } from '#libs/what-if';
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
  const model = createWhatIf(snapshot);
  const found = await placesOf(model, name);
  if (isRefusal(found)) return found;
  const places = found.places ?? 0;
  const example = rows.find((row) => model.immovable(row) === null) ?? first;
  const hosts = acceptingHosts(model).filter((host) => !refusing.has(model.refusal(example, host)));
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  const capacity = {
    cpu: sum(hosts.map((h) => model.capacity(h).vcpus)),
    memory: sum(hosts.map((h) => model.capacity(h).memory)),
  };
  const used = { cpu: sum(hosts.map((h) => model.used(h).vcpus)), memory: sum(hosts.map((h) => model.used(h).memory)) };
  const cpusOfMib = sum(instances.vcpus) / Math.max(1, sum(instances.memory));
  const mib = Float64Array.from(await days.instanceSums('instance_ram_allocated'));
  const trend = trendOfDays(mib);
  const needs = model.needs(example);
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
    ...{ id: name, name, hosts: hosts.length, ...found, history_days: measuredDays(mib) },
    resources: [resourceOf('cpu'), resourceOf('memory')],
    full: fullBody(daysUntilFull(0, places, scaled(trend, perMib)), 'its last place'),
  };
}

function scaled(trend: Trend, factor: number): Trend {
  const { perDay, lowPerDay, highPerDay } = trend;
  return { ...trend, perDay: perDay * factor, lowPerDay: lowPerDay * factor, highPerDay: highPerDay * factor };
}

/** Places in total, and by zone and aggregate. Each part is counted separately, since hosts may share storage. */
async function placesOf(model: WhatIf, name: string): Promise<FoundPlaces> {
  const { snapshot } = model;
  const [flavor] = frequentFlavors(snapshot, name);
  const accepting = new Set(acceptingHosts(model));
  const signal = AbortSignal.timeout(limits.computeMs);
  const count = async (rows: readonly number[]) => {
    const [found] = flavor === undefined ? [] : await runInTurns(countPlaces(snapshot, rows, [flavor]), signal);
    return { places: found?.total ?? 0, isExact: found?.isExact ?? true };
  };
  const { hostInfo, aggregates } = snapshot;
  const parts = [
    ...[...hostsOfParts(snapshot, 'zone')].map(([part, rows]) => ({ kind: 'zone' as const, name: part, rows })),
    ...aggregates.map((aggregate, index) => ({
      ...{ kind: 'aggregate' as const, name: aggregate.name },
      rows: [...hostInfo.keys()].filter((row) => hostInfo[row]?.aggregates.includes(index)),
    })),
  ];
  const all = await count([...accepting]);
  const counted: CapacityPart['parts'] = [];
  for (const { kind, name: part, rows } of parts.slice(0, limits.parts)) {
    const { places } = await count(rows.filter((row) => accepting.has(row)));
    counted.push({ kind, name: part, hosts: rows.length, places });
  }
  return { places: all.places, is_exact: all.isExact, parts: counted };
}

import { type ComputeSnapshot, createWhatIf, totalCpus, type WhatIf } from '#libs/cluster-model';
import { type MetricName, nearestName } from '#libs/domain';
import { daysUntilFull, type TimeUntilFull, type Trend, trendOfDays } from '#libs/forecast';
import {
  type CapacityForecastQuestion,
  type CapacityForecastResponse,
  type CapacityResource,
  capacityKinds,
  isRefusal,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import { latestModel } from '../model/fresh-enough.ts';
import { createDayReader, type DayReader } from './day-reader.ts';
import type { ClusterDeps } from './describe-cluster.ts';
import { fullBody, rounded2, trendBody } from './forecast-bodies.ts';

const shownAgeMs = 60_000;
const maxName = 255;
/** A day counts when so much of the size of the hosts was measured. */
const leastMeasured = 0.8;
const daysOfWeek = 7;

type Part = Pick<CapacityForecastResponse, 'id' | 'name' | 'hosts' | 'history_days' | 'places' | 'resources' | 'full'>;

/** Makes the response to `capacity.forecast`. */
export function createCapacityForecaster(deps: ClusterDeps) {
  const days = createDayReader(deps);

  return async (question: CapacityForecastQuestion): Promise<CapacityForecastResponse | RpcRefusal> => {
    const { kind, id, full_at: fullAt } = question;
    const fault = faultOf(question);
    if (fault !== null) return refuse('invalid_input', fault);
    const snapshot = await latestModel(deps.model, shownAgeMs, deps.logger).catch((error: unknown) =>
      refuse('model_not_available', error),
    );
    if (isRefusal(snapshot)) return snapshot;
    try {
      const part =
        kind === 'aggregate' ? await ofAggregate(snapshot, question, days) : await ofFlavor(snapshot, id, days);
      if (isRefusal(part)) return part;
      return { kind, at: new Date(deps.clock.now()).toISOString(), full_at: kind === 'flavor' ? 100 : fullAt, ...part };
    } catch (error) {
      return refuseBecause(error, 'history_not_available');
    }
  };
}

function faultOf({ kind, id, full_at: fullAt }: CapacityForecastQuestion): string | null {
  if (!capacityKinds.includes(kind)) return `kind: ${kind} is none of ${capacityKinds.join(', ')}`;
  if (id.length > maxName) return `id: at most ${maxName} characters`;
  return fullAt >= 1 && fullAt <= 100 ? null : 'full_at: 1 to 100';
}

function unknown(kind: 'aggregate' | 'flavor', id: string, names: Iterable<string>): RpcRefusal {
  const nearest = nearestName(id, names);
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  return refuse(`${kind}_not_found`, `there is no ${kind} ${id}${hint}`);
}

/** The one that is full first. Where no time is known, the first. */
function soonest(times: readonly TimeUntilFull[]): TimeUntilFull {
  const rank = ({ verdict, days }: TimeUntilFull) => (verdict === 'full' ? -1 : (days ?? Number.POSITIVE_INFINITY));
  return times.reduce((first, time) => (rank(time) < rank(first) ? time : first));
}

const measuredDays = (percents: Float64Array) => percents.filter((percent) => !Number.isNaN(percent)).length;

/** Measured use of the hosts of an aggregate, in percent of their physical size. */
async function ofAggregate(
  snapshot: ComputeSnapshot,
  { id, full_at: fullAt }: CapacityForecastQuestion,
  days: DayReader,
): Promise<Part | RpcRefusal> {
  const index = snapshot.aggregates.findIndex(({ id: number, name }) => name === id || String(number) === id);
  const aggregate = snapshot.aggregates[index];
  if (!aggregate)
    return unknown(
      'aggregate',
      id,
      snapshot.aggregates.map(({ name }) => name),
    );
  const rows = [...snapshot.hostInfo.keys()].filter((row) => snapshot.hostInfo[row]?.aggregates.includes(index));
  const sizes = { cpu: totalCpus(snapshot), memory: snapshot.hosts.memory };
  const metrics: Record<'cpu' | 'memory', MetricName> = { cpu: 'host_cpu_usage', memory: 'host_ram_usage' };

  async function read(resource: 'cpu' | 'memory') {
    const size = sizes[resource];
    const total = rows.reduce((sum, row) => sum + (size[row] as number), 0);
    const amount = (row: number, value: number) =>
      resource === 'cpu' ? (value / 100) * (size[row] as number) : value / 1024;
    const means = await days.hostMeans(metrics[resource]);
    const percents = Float64Array.from(means, (ofHosts) => {
      let [used, known] = [0, 0];
      for (const row of rows) {
        const value = ofHosts.get(snapshot.hostInfo[row]?.hostname ?? '');
        if (value === undefined) continue;
        used += amount(row, value);
        known += size[row] as number;
      }
      return known < leastMeasured * total || known === 0 ? Number.NaN : (100 * used) / known;
    });
    const newest = percents.subarray(0, daysOfWeek).filter((percent) => !Number.isNaN(percent));
    const level = newest.length === 0 ? Number.NaN : Math.max(...newest);
    const trend = trendOfDays(percents);
    const time = daysUntilFull(level, fullAt, trend);
    const body: CapacityResource = {
      ...{ resource, basis: 'measured', size: total, trend: trendBody(trend), full: fullBody(time, `${fullAt} %`) },
      percent: Number.isNaN(level) ? null : rounded2(level),
    };
    return { body, time, days: measuredDays(percents) };
  }

  const resources = await Promise.all([read('cpu'), read('memory')]);
  return {
    ...{ id: String(aggregate.id), name: aggregate.name, hosts: rows.length, places: null },
    history_days: Math.max(...resources.map((resource) => resource.days)),
    resources: resources.map(({ body }) => body),
    full: fullBody(soonest(resources.map(({ time }) => time)), `${fullAt} %`),
  };
}

/** Refusals of hosts that never take the flavor, or take nothing now. */
const refusing = new Set<string | null>([
  ...['host-down', 'host-disabled', 'aggregate-isolation', 'trait', 'capability', 'hypervisor-type'],
  'cpu-architecture',
]);

/** Hosts that accept instances of a flavor, with the places for further ones. */
function placesFor(model: WhatIf, example: number): { hosts: number[]; places: number } {
  const needs = model.needs(example);
  const hosts = [...model.snapshot.hostInfo.keys()].filter(
    (host) => model.enabled[host] === 1 && !refusing.has(model.refusal(example, host)),
  );
  const placesOn = (host: number) => {
    const free = { ...model.free(host), dedicatedCpus: model.freeDedicatedCpus(host) };
    const names = (['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const).filter((name) => needs[name] > 0);
    return Math.max(0, Math.floor(Math.min(...names.map((name) => free[name] / needs[name]))));
  };
  return { hosts, places: hosts.reduce((sum, host) => sum + placesOn(host), 0) };
}

function scaled(trend: Trend, factor: number): Trend {
  const { perDay, lowPerDay, highPerDay } = trend;
  return { ...trend, perDay: perDay * factor, lowPerDay: lowPerDay * factor, highPerDay: highPerDay * factor };
}

/**
 * Places for a flavor, and the growth of the memory that all instances have by their flavors. Their CPUs grow in the
 * proportion of today.
 */
async function ofFlavor(snapshot: ComputeSnapshot, name: string, days: DayReader): Promise<Part | RpcRefusal> {
  const { instances, instanceInfo } = snapshot;
  const rows = [...instanceInfo.keys()].filter((row) => instanceInfo[row]?.flavorName === name);
  const [first] = rows;
  if (first === undefined)
    return unknown('flavor', name, new Set(instanceInfo.flatMap((info) => info.flavorName ?? [])));
  const model = createWhatIf(snapshot);
  const example = rows.find((row) => model.immovable(row) === null) ?? first;
  const { hosts, places } = placesFor(model, example);
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
      ...{
        resource,
        basis: 'allocated',
        size,
        trend: trendBody(own),
        full: fullBody(daysUntilFull(percent, 100, own), '100 %'),
      },
      percent: Number.isNaN(percent) ? null : rounded2(percent),
    };
  };
  return {
    ...{ id: name, name, hosts: hosts.length, places, history_days: measuredDays(mib) },
    resources: [resourceOf('cpu'), resourceOf('memory')],
    full: fullBody(daysUntilFull(0, places, scaled(trend, perMib)), 'its last place'),
  };
}

import { type ComputeSnapshot, totalCpus } from '#libs/cluster-model';
import type { MetricName } from '#libs/domain';
import { daysUntilFull, type TimeUntilFull, trendOfDays } from '#libs/forecast';
import {
  type CapacityForecastRequest,
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
import { capacityOfFlavor } from './flavor-capacity.ts';
import { type CapacityPart, fullBody, measuredDays, rounded2, trendBody, unknownPart } from './forecast-bodies.ts';

const shownAgeMs = 60_000;
const maxName = 255;
/** A day counts when at least this share of the size of the hosts was measured. */
const leastMeasured = 0.8;
const daysOfWeek = 7;

/** Creates the handler of `capacity.forecast`. */
export function createCapacityForecaster(deps: ClusterDeps) {
  const days = createDayReader(deps);

  return async (request: CapacityForecastRequest): Promise<CapacityForecastResponse | RpcRefusal> => {
    const { kind, id, full_at: fullAt } = request;
    const fault = faultOf(request);
    if (fault !== null) return refuse('invalid_input', fault);
    const snapshot = await latestModel(deps.model, shownAgeMs, deps.logger).catch((error: unknown) =>
      refuse('model_not_available', error),
    );
    if (isRefusal(snapshot)) return snapshot;
    try {
      const part =
        kind === 'aggregate' ? await ofAggregate(snapshot, request, days) : await capacityOfFlavor(snapshot, id, days);
      if (isRefusal(part)) return part;
      return { kind, at: new Date(deps.clock.now()).toISOString(), full_at: kind === 'flavor' ? 100 : fullAt, ...part };
    } catch (error) {
      return refuseBecause(error, 'history_not_available');
    }
  };
}

function faultOf({ kind, id, full_at: fullAt }: CapacityForecastRequest): string | null {
  if (!capacityKinds.includes(kind)) return `kind: ${kind} is none of ${capacityKinds.join(', ')}`;
  if (id.length > maxName) return `id: at most ${maxName} characters`;
  return fullAt >= 1 && fullAt <= 100 ? null : 'full_at: 1 to 100';
}

/** The resource that is full first. The first resource when no time is known. */
function soonest(times: readonly TimeUntilFull[]): TimeUntilFull {
  const rank = ({ verdict, days }: TimeUntilFull) => (verdict === 'full' ? -1 : (days ?? Number.POSITIVE_INFINITY));
  return times.reduce((first, time) => (rank(time) < rank(first) ? time : first));
}

/** Measured use of the hosts of an aggregate, in percent of their physical size. */
async function ofAggregate(
  snapshot: ComputeSnapshot,
  { id, full_at: fullAt }: CapacityForecastRequest,
  days: DayReader,
): Promise<CapacityPart | RpcRefusal> {
  const index = snapshot.aggregates.findIndex(({ id: number, name }) => name === id || String(number) === id);
  const aggregate = snapshot.aggregates[index];
  if (!aggregate)
    return unknownPart(
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
    ...{ id: String(aggregate.id), name: aggregate.name, hosts: rows.length, places: null, is_exact: true, parts: [] },
    history_days: Math.max(...resources.map((resource) => resource.days)),
    resources: resources.map(({ body }) => body),
    full: fullBody(soonest(resources.map(({ time }) => time)), `${fullAt} %`),
  };
}

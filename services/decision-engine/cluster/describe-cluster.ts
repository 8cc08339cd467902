import { type ComputeSnapshot, instanceFlag, instanceStates, rulesAbout } from '#libs/cluster-model';
import { type Clock, type Logger, type MetricName, servedPart } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import {
  type ClusterHostRequest,
  type ClusterHostResponse,
  type ClusterInstanceRequest,
  type ClusterInstanceResponse,
  type ClusterSummaryRequest,
  type ClusterSummaryResponse,
  type InstanceSummary,
  isRefusal,
  type RpcRefusal,
  refuse,
} from '#libs/messaging';
import { enabledRules, type Store } from '#libs/store';
import { latestModel } from '../model/fresh-enough.ts';
import { hostSummaries, rounded, totalsOf } from '../model/host-summaries.ts';
import { type LoadRequest, type Loads, measureLoads } from '../model/measure-loads.ts';
import type { ModelKeeper } from '../model/model-keeper.ts';

export interface ClusterDeps {
  model: ModelKeeper;
  history: HistoryReader;
  clock: Clock;
  logger: Logger;
}

const hostMetrics = ['host_cpu_usage', 'host_ram_usage'] as const;
const minAgeSeconds = 5;
const period = { min: 60, max: 86_400 };

/** Returns `cluster.summary`. */
export async function describeCluster(
  request: ClusterSummaryRequest,
  deps: ClusterDeps,
): Promise<ClusterSummaryResponse | RpcRefusal> {
  const snapshot = await modelFor(request, deps);
  if (isRefusal(snapshot)) return snapshot;
  const loads = await measureLoads({ metrics: hostMetrics, periodSeconds: request.load_period_seconds }, deps);
  const hosts = hostSummaries(snapshot, loads).sort((a, b) => (a.hostname < b.hostname ? -1 : 1));
  return {
    ...ageOf(snapshot, deps.clock),
    complete: snapshot.complete,
    gaps: snapshot.gaps,
    load: loads.measurement,
    totals: totalsOf(hosts),
    aggregates: snapshot.aggregates.map(({ id, name, zone }) => ({ id, name, zone })),
    hosts,
  };
}

/** Returns `cluster.host`. */
export async function describeHost(
  request: ClusterHostRequest,
  deps: ClusterDeps,
): Promise<ClusterHostResponse | RpcRefusal> {
  const snapshot = await modelFor(request, deps);
  if (isRefusal(snapshot)) return snapshot;
  const row = snapshot.hostInfo.findIndex(({ hostname }) => hostname === request.hostname);
  const info = snapshot.hostInfo[row];
  if (!info) return refuse('host_not_found', `Host ${request.hostname} could not be found`);
  const rows = [...snapshot.instances.host.keys()].filter((instance) => snapshot.instances.host[instance] === row);
  const vcpus = new Map(
    rows.map((instance) => [snapshot.instanceInfo[instance]?.uuid ?? '', snapshot.instances.vcpus[instance] as number]),
  );
  const window = { periodSeconds: request.load_period_seconds, vcpus, resources: [info.hostname, ...vcpus.keys()] };
  const loads = await measureInstances([...hostMetrics, 'instance_cpu_usage'], window, deps);
  const host = hostSummaries(snapshot, loads)[row] as ClusterHostResponse['host'];
  return {
    ...ageOf(snapshot, deps.clock),
    load: loads.measurement,
    host: { ...host, traits: info.traits },
    instances: rows
      .map((instance) => instanceSummary(snapshot, instance, loads))
      .sort((a, b) => (a.name === b.name ? Number(a.uuid > b.uuid) - 0.5 : a.name < b.name ? -1 : 1)),
  };
}

/** Returns `cluster.instance`. */
export async function describeInstance(
  request: ClusterInstanceRequest,
  deps: ClusterDeps & { store: Pick<Store, 'db'> },
): Promise<ClusterInstanceResponse | RpcRefusal> {
  const snapshot = await modelFor(request, deps);
  if (isRefusal(snapshot)) return snapshot;
  const { instances, instanceInfo, hostInfo, groups } = snapshot;
  const row = instanceInfo.findIndex(({ uuid }) => uuid === request.uuid);
  const info = instanceInfo[row];
  if (!info) return refuse('instance_not_found', `Instance ${request.uuid} could not be found`);
  const vcpus = new Map([[info.uuid, instances.vcpus[row] as number]]);
  const window = { periodSeconds: request.load_period_seconds, vcpus, resources: [info.uuid] };
  const loads = await measureInstances(['instance_cpu_usage'], window, deps);
  return {
    ...ageOf(snapshot, deps.clock),
    load: loads.measurement,
    instance: {
      ...instanceSummary(snapshot, row, loads),
      hostname: hostInfo[instances.host[row] as number]?.hostname ?? null,
      flavor: info.flavorName ?? null,
      pinned_zone: info.pinnedZone || null,
      group_policy: groups[instances.group[row] as number]?.policy ?? null,
      rules: rulesAbout(snapshot, row, await enabledRules(deps.store.db)),
    },
  };
}

/** Loads, and the percent of time that each instance waits for CPUs, by uuid. */
interface InstanceLoads extends Loads {
  waiting: ReadonlyMap<string, number>;
}

/** Few data sources measure the CPU wait of instances. A data source without it is not an error. */
async function measureInstances(
  metrics: readonly MetricName[],
  window: Pick<LoadRequest, 'periodSeconds' | 'vcpus' | 'resources'>,
  deps: ClusterDeps,
): Promise<InstanceLoads> {
  const [loads, steal] = await Promise.all([
    measureLoads({ ...window, metrics }, deps),
    measureLoads({ ...window, metrics: ['instance_cpu_steal'] }, deps),
  ]);
  return { ...loads, waiting: steal.of('instance_cpu_steal') };
}

async function modelFor(request: ClusterSummaryRequest, deps: ClusterDeps): Promise<ComputeSnapshot | RpcRefusal> {
  const { max_age_seconds: maxAge, load_period_seconds: load } = request;
  if (!(maxAge >= minAgeSeconds)) return refuse('invalid_input', `max_age_seconds: at least ${minAgeSeconds}`);
  if (!(load >= period.min && load <= period.max))
    return refuse('invalid_input', `load_period_seconds: between ${period.min} and ${period.max}`);
  return latestModel(deps.model, maxAge * 1000, deps.logger).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
}

function ageOf({ takenAtMs }: ComputeSnapshot, clock: Clock): { taken_at: string; age_seconds: number } {
  return {
    taken_at: new Date(takenAtMs).toISOString(),
    age_seconds: Math.max(0, Math.round((clock.now() - takenAtMs) / 100) / 10),
  };
}

function instanceSummary({ instances, instanceInfo, groups }: ComputeSnapshot, row: number, loads: InstanceLoads) {
  const info = instanceInfo[row] as ComputeSnapshot['instanceInfo'][number];
  const flags = instances.flags[row] as number;
  const used = loads.of('instance_cpu_usage').get(info.uuid);
  const waited = loads.waiting.get(info.uuid);
  return {
    uuid: info.uuid,
    name: info.name,
    project_id: info.projectId,
    state: instanceStates[instances.state[row] as number] ?? 'error',
    vcpus: instances.vcpus[row] as number,
    memory: instances.memory[row] as number,
    disk: instances.disk[row] as number,
    locked: (flags & instanceFlag.locked) !== 0,
    busy: (flags & instanceFlag.busy) !== 0,
    server_group: groups[instances.group[row] as number]?.uuid ?? null,
    created: info.created,
    cpu_load: rounded(used),
    cpu_served: used === undefined || waited === undefined ? null : rounded(100 * servedPart(used, waited)),
  } satisfies InstanceSummary;
}

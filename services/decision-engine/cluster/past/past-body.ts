import { type ComputeSnapshot, needsOf } from '#libs/cluster-model';
import { type ClusterPastResponse, type HostSummary, mostMovedInstances, type PastUse } from '#libs/messaging';
import { type HostLoads, hostLoads, hostSummaries } from '../../model/host-summaries.ts';
import type { Loads } from '../../model/measure-loads.ts';
import type { FinishedMove } from './finished-moves.ts';
import { goneHost, type PastPlacement, rewind } from './rewind.ts';

/** The current state, from which every past time is rebuilt. */
export interface Present {
  snapshot: ComputeSnapshot;
  moves: readonly FinishedMove[];
  loads: Loads;
}

/** A past time with its loads. */
export interface Moment {
  atMs: number;
  loads: Loads;
}

/** Differences of a host between a past time and now. Amounts are those of `needsOf`. */
interface Change {
  instances: number;
  vcpus: number;
  memory: number;
  disk: number;
}

/**
 * Builds the body of `cluster.past`. Allocations in Placement that belong to none of the current instances keep their
 * current amount.
 * @param to the time to compare with. Null: now
 */
export function pastBody(present: Present, at: Moment, to: Moment | null, earliestMs: number): ClusterPastResponse {
  const { snapshot, moves } = present;
  const { hostInfo, aggregates } = snapshot;
  const past = rewind(snapshot, moves, at.atMs);
  const later = to === null ? null : rewind(snapshot, moves, to.atMs);
  const laterHost = later?.host ?? snapshot.instances.host;
  const now = hostSummaries(snapshot, to?.loads ?? present.loads);
  const loadsBefore = hostLoads(snapshot, at.loads);
  const [then, since] = [past.host, laterHost].map((host) => changesOf(snapshot, host));
  const moved = movedRows(past.host, laterHost);
  const [left, arrived] = [past.host, laterHost].map((host) => countsBy(moved, host)) as [number[], number[]];
  const hosts = hostInfo.map((info, row) => {
    const today = now[row] as HostSummary;
    return {
      hostname: info.hostname,
      zone: today.zone,
      aggregates: info.aggregates.flatMap((index) => aggregates[index]?.name ?? []),
      capacity: { vcpus: today.vcpus.capacity, memory: today.memory.capacity, disk: today.disk.capacity },
      before: useOf({ ...today, ...(loadsBefore[row] as HostLoads) }, then?.[row] as Change),
      now: useOf(today, since?.[row] as Change),
      arrived: arrived[row] ?? 0,
      left: left[row] ?? 0,
    };
  });
  return {
    at: new Date(at.atMs).toISOString(),
    to: new Date(to?.atMs ?? snapshot.takenAtMs).toISOString(),
    earliest: new Date(earliestMs).toISOString(),
    model_taken_at: new Date(snapshot.takenAtMs).toISOString(),
    load: [at, to].find((moment) => moment?.loads.measurement.error)?.loads.measurement ?? at.loads.measurement,
    instances: { ...placedCounts(past, later, laterHost), moved: moved.length },
    moves: past.moves - (later?.moves ?? 0),
    moved_instances: moved
      .map((row) => movedInstance(snapshot, row, past.host, laterHost))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, mostMovedInstances),
    gaps: snapshot.gaps,
    hosts: hosts.sort((a, b) => (a.hostname < b.hostname ? -1 : 1)),
  };
}

/** Instances that have a host at both times, and the number of those with an unknown place or size. */
function placedCounts(past: PastPlacement, later: PastPlacement | null, laterHost: Int32Array) {
  return {
    before: placed(past.host),
    now: placed(laterHost),
    created_since: past.createdSince - (later?.createdSince ?? 0),
    deleted_since: past.deletedSince,
    resized_since: past.resizedSince,
    host_gone: past.host.filter((host, row) => host === goneHost || laterHost[row] === goneHost).length,
    without_host: (later ?? past).withoutHost,
  };
}

/** Rows of the instances that have different hosts at the two times. */
function movedRows(before: Int32Array, after: Int32Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < before.length; row++) {
    const [from, to] = [before[row] as number, after[row] as number];
    if (from >= 0 && to >= 0 && from !== to) rows.push(row);
  }
  return rows;
}

/** Number of these instances on each host, by row of the host. */
function countsBy(instances: readonly number[], hosts: Int32Array): number[] {
  const counts: number[] = [];
  for (const row of instances) {
    const host = hosts[row] as number;
    counts[host] = (counts[host] ?? 0) + 1;
  }
  return counts;
}

function movedInstance({ instanceInfo, hostInfo }: ComputeSnapshot, row: number, from: Int32Array, to: Int32Array) {
  const { uuid = '', name = '' } = instanceInfo[row] ?? {};
  const hostname = (hosts: Int32Array) => hostInfo[hosts[row] as number]?.hostname ?? '';
  return { uuid, name, from: hostname(from), to: hostname(to) };
}

/** Difference between a past time and now, by row of the host. */
function changesOf(snapshot: ComputeSnapshot, hosts: Int32Array): Change[] {
  const { hostInfo, instances } = snapshot;
  const changes = hostInfo.map((): Change => ({ instances: 0, vcpus: 0, memory: 0, disk: 0 }));
  for (let row = 0; row < hosts.length; row++) {
    const [before, today] = [hosts[row] as number, instances.host[row] as number];
    if (before === today) continue;
    const needs = needsOf(snapshot, row);
    add(changes[before], needs, 1);
    add(changes[today], needs, -1);
  }
  return changes;
}

function add(change: Change | undefined, needs: ReturnType<typeof needsOf>, sign: 1 | -1): void {
  if (change === undefined) return;
  change.instances += sign;
  change.vcpus += sign * needs.vcpus;
  change.memory += sign * needs.memory;
  change.disk += sign * needs.disk;
}

function useOf(host: HostSummary, change: Change): PastUse {
  const sum = (used: number, more: number) => Math.max(0, Math.round((used + more) * 100) / 100);
  return {
    instances: sum(host.instances, change.instances),
    vcpus: sum(host.vcpus.used, change.vcpus),
    memory: sum(host.memory.used, change.memory),
    disk: sum(host.disk.used, change.disk),
    cpu_load: host.cpu_load,
    memory_load: host.memory_load,
  };
}

/** Instances that are on a host. */
function placed(hosts: Int32Array): number {
  let count = 0;
  for (const host of hosts) if (host >= 0) count += 1;
  return count;
}

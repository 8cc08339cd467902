import type { ComputeSnapshot, WhatIf } from '#libs/cluster-model';
import type { ClusterPastResponse, HostSummary, PastUse } from '#libs/messaging';
import { hostSummaries } from '../../model/host-summaries.ts';
import type { Loads } from '../../model/measure-loads.ts';
import type { FinishedMove } from './finished-moves.ts';
import { type PastPlacement, rewind } from './rewind.ts';

/** Now, from which every moment of the past is rebuilt. */
export interface Present {
  snapshot: ComputeSnapshot;
  /** On the snapshot. Nothing is moved in it. */
  view: Pick<WhatIf, 'needs'>;
  moves: readonly FinishedMove[];
  loads: Loads;
}

interface Moment {
  atMs: number;
  earliestMs: number;
  /** Of that moment. */
  loads: Loads;
}

/** Instances that came to a host and left it since the moment. Amounts as `WhatIf.needs` has them. */
interface Change {
  arrived: number;
  left: number;
  instances: number;
  vcpus: number;
  memory: number;
  disk: number;
}

/** The body of `cluster.past`. Of a host in Placement, allocations of others than today's instances stay as today. */
export function pastBody(present: Present, { atMs, earliestMs, loads }: Moment): ClusterPastResponse {
  const { snapshot, moves } = present;
  const { hostInfo, instances, aggregates } = snapshot;
  const past = rewind(snapshot, moves, atMs);
  const changes = changesOf(present, past);
  const [before, now] = [hostSummaries(snapshot, loads), hostSummaries(snapshot, present.loads)];
  const hosts = hostInfo.map((info, row) => {
    const [change, today, measured] = [changes[row] as Change, now[row] as HostSummary, before[row] as HostSummary];
    return {
      hostname: info.hostname,
      zone: today.zone,
      aggregates: info.aggregates.flatMap((index) => aggregates[index]?.name ?? []),
      capacity: { vcpus: today.vcpus.capacity, memory: today.memory.capacity, disk: today.disk.capacity },
      before: useOf(measured, change),
      now: useOf(today, null),
      arrived: change.arrived,
      left: change.left,
    };
  });
  return {
    at: new Date(atMs).toISOString(),
    earliest: new Date(earliestMs).toISOString(),
    model_taken_at: new Date(snapshot.takenAtMs).toISOString(),
    load: loads.measurement,
    instances: {
      before: placed(past.host),
      now: placed(instances.host),
      moved: changes.reduce((sum, { left }) => sum + left, 0),
      created_since: past.createdSince,
      deleted_since: past.deletedSince,
      resized_since: past.resizedSince,
      host_gone: past.hostGone,
      without_host: past.withoutHost,
    },
    moves: past.moves,
    gaps: snapshot.gaps,
    hosts: hosts.sort((a, b) => (a.hostname < b.hostname ? -1 : 1)),
  };
}

/** By row of the host: the difference of then to now. */
function changesOf({ snapshot: { hostInfo, instances }, view }: Present, { host: former }: PastPlacement): Change[] {
  const changes = hostInfo.map((): Change => ({ arrived: 0, left: 0, instances: 0, vcpus: 0, memory: 0, disk: 0 }));
  for (const [row, before] of former.entries()) {
    const today = instances.host[row] as number;
    if (before === today) continue;
    const needs = view.needs(row);
    add(changes[before], needs, 1);
    add(changes[today], needs, -1);
    if (before < 0 || today < 0) continue;
    (changes[before] as Change).left += 1;
    (changes[today] as Change).arrived += 1;
  }
  return changes;
}

function add(change: Change | undefined, needs: ReturnType<WhatIf['needs']>, sign: 1 | -1): void {
  if (change === undefined) return;
  change.instances += sign;
  change.vcpus += sign * needs.vcpus;
  change.memory += sign * needs.memory;
  change.disk += sign * needs.disk;
}

function useOf(host: HostSummary, change: Change | null): PastUse {
  const sum = (used: number, more = 0) => Math.max(0, Math.round((used + more) * 100) / 100);
  return {
    instances: sum(host.instances, change?.instances),
    vcpus: sum(host.vcpus.used, change?.vcpus),
    memory: sum(host.memory.used, change?.memory),
    disk: sum(host.disk.used, change?.disk),
    cpu_load: host.cpu_load,
    memory_load: host.memory_load,
  };
}

/** Instances that are on a host. */
function placed(hosts: Int32Array): number {
  return hosts.filter((host) => host >= 0).length;
}

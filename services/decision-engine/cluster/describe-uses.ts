import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import type { HostUse } from '#libs/domain';
import { type ClusterUsesRequest, type ClusterUsesResponse, isRefusal, type RpcRefusal, refuse } from '#libs/messaging';
import { latestModel } from '../model/fresh-enough.ts';
import type { ClusterDeps } from './describe-cluster.ts';

/** Maximum age of a model in milliseconds. An older model is returned while the next one is collected. */
const shownAgeMs = 30_000;

/** Returns `cluster.uses`, computed like the host values that are stored with a plan. */
export async function describeUses(
  { hostnames }: ClusterUsesRequest,
  { model, logger }: Pick<ClusterDeps, 'model' | 'logger'>,
): Promise<ClusterUsesResponse | RpcRefusal> {
  const snapshot = await latestModel(model, shownAgeMs, logger).catch((error: unknown) =>
    refuse('model_not_available', error),
  );
  if (isRefusal(snapshot)) return snapshot;
  const wanted = new Set(hostnames);
  const rows = [...snapshot.hostInfo.keys()].filter((row) => wanted.has(snapshot.hostInfo[row]?.hostname ?? ''));
  const uses = usesOf(snapshot, rows).map((use, index) => ({ hostname: nameOf(snapshot, rows[index] as number), use }));
  return {
    taken_at: new Date(snapshot.takenAtMs).toISOString(),
    hosts: uses.sort((a, b) => (a.hostname < b.hostname ? -1 : 1)),
  };
}

function nameOf({ hostInfo }: ComputeSnapshot, row: number): string {
  return hostInfo[row]?.hostname ?? '';
}

/** The same values as those of `hostsOfPlan`, without a view of all instances, which takes long in large clouds. */
function usesOf({ hosts, hostInfo, instances }: ComputeSnapshot, rows: readonly number[]): HostUse[] {
  const counts = new Uint32Array(hostInfo.length);
  for (const host of instances.host) if (host >= 0) counts[host] = (counts[host] as number) + 1;
  return rows.map((row) => ({
    vcpus: hosts.vcpusUsed[row] as number,
    memory: hosts.memoryUsed[row] as number,
    disk: hosts.diskUsed[row] as number,
    dedicatedCpus: hostInfo[row]?.dedicatedCpus?.used ?? 0,
    instances: counts[row] as number,
    enabled: ((hosts.flags[row] as number) & hostFlag.enabled) !== 0,
  }));
}

import { type ClusterUsesRequest, type ClusterUsesResponse, isRefusal, type RpcRefusal, refuse } from '#libs/messaging';
import { hostsOfPlan } from '../audit-runner/hosts-of-plan.ts';
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
  const { hosts, modelTakenAt } = hostsOfPlan(snapshot, []);
  return {
    taken_at: modelTakenAt,
    hosts: hosts.flatMap(({ hostname, before }) => (wanted.has(hostname) ? { hostname, use: before } : [])),
  };
}

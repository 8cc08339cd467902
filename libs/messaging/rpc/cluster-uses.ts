import type { HostUse } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `cluster.uses`: what is allocated on some hosts, as of the newest model. */
export interface ClusterUsesQuestion {
  /** Host names of compute services. */
  hostnames: string[];
}

/** Hosts that the cloud does not have are left out. */
export interface ClusterUsesAnswer {
  /** Time of the picture of the cloud, ISO 8601. */
  taken_at: string;
  hosts: { hostname: string; use: HostUse }[];
}

/** Refusals: `model_not_available`. */
export const clusterUses: RpcTopic<ClusterUsesQuestion, ClusterUsesAnswer> = {
  topic: 'cluster.uses',
  timeoutMs: 10_000,
};

import type { HostUse } from '#libs/domain';
import type { ClusterSummaryQuestion, HostSummary, LoadMeasurement } from './cluster-summary.ts';
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

/** `cluster.host`: one host with its instances. */
export interface ClusterHostQuestion extends ClusterSummaryQuestion {
  /** Host name of the compute service. */
  hostname: string;
}

/** An instance as operators see it. */
export interface InstanceSummary {
  uuid: string;
  name: string;
  project_id: string;
  /** vm_state, such as `active`. */
  state: string;
  vcpus: number;
  /** MiB. */
  memory: number;
  /** GiB of the host's disk. */
  disk: number;
  locked: boolean;
  /** A task runs on it, such as a migration. */
  busy: boolean;
  /** Uuid of its server group; null when it is in none. */
  server_group: string | null;
  created: string;
  /** Measured CPU use in percent of its virtual CPUs; null when nothing was measured. */
  cpu_load: number | null;
}

/** One host with its instances, as of the model. */
export interface ClusterHostAnswer {
  taken_at: string;
  age_seconds: number;
  load: LoadMeasurement;
  host: HostSummary & { traits: string[] };
  /** By name, then uuid. */
  instances: InstanceSummary[];
}

/** Refusals: `host_not_found`, `model_not_available`, `invalid_input`. */
export const clusterHost: RpcTopic<ClusterHostQuestion, ClusterHostAnswer> = {
  topic: 'cluster.host',
  timeoutMs: 60_000,
};

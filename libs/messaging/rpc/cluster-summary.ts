import type { RpcTopic } from './rpc-topic.ts';

/** `cluster.summary`: every host with its allocation, load and state, in one answer. */
export interface ClusterSummaryQuestion {
  /** The model is collected anew when it is older; it is answered as it is meanwhile. Seconds, at least 5. */
  max_age_seconds: number;
  /** Window of the mean load, which ends now; seconds, 60 to 86400. */
  load_period_seconds: number;
}

/** Use of one resource. Capacity = (total − reserved) × overcommit. */
export interface ResourceUse {
  total: number;
  capacity: number;
  /** Allocation by Placement; may exceed the capacity. */
  used: number;
}

/** A host as operators see it. */
export interface HostSummary {
  uuid: string;
  hostname: string;
  state: 'up' | 'down';
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  zone: string;
  /** Ids of its aggregates. */
  aggregates: number[];
  instances: number;
  vcpus: ResourceUse;
  /** MiB. */
  memory: ResourceUse;
  /** GiB. */
  disk: ResourceUse;
  /** Measured CPU use in percent of the host; null when nothing was measured. */
  cpu_load: number | null;
  /** Measured memory use in percent of the host; null when nothing was measured. */
  memory_load: number | null;
}

/** Where the loads of a summary are from. */
export interface LoadMeasurement {
  /** Moment at which the window ends, ISO 8601. */
  at: string;
  period_seconds: number;
  /** Names of the data sources that served. */
  sources: string[];
  /** Why loads are missing; null when each source could be asked. */
  error: string | null;
}

/** Sums and spreads over the hosts of a summary. */
export interface ClusterTotals {
  hosts: number;
  hosts_up: number;
  hosts_enabled: number;
  /** Hosts without instances. */
  hosts_empty: number;
  instances: number;
  /** Sums over hosts that are up and enabled. */
  vcpus: ResourceUse;
  memory: ResourceUse;
  disk: ResourceUse;
  /** Over the measured hosts, in percent; null when none was measured. Deviation is the standard deviation. */
  cpu_load: { mean: number; deviation: number; min: number; max: number; hosts: number } | null;
}

/** All hosts with their allocation and load, as of the model. */
export interface ClusterSummaryAnswer {
  /** When the model was collected, ISO 8601. */
  taken_at: string;
  age_seconds: number;
  /** False when some part of the cloud could not be read; `gaps` says which. */
  complete: boolean;
  gaps: string[];
  load: LoadMeasurement;
  totals: ClusterTotals;
  aggregates: { id: number; name: string; zone: string | null }[];
  /** By hostname. */
  hosts: HostSummary[];
}

/** Refusals: `model_not_available`, `invalid_input`. */
export const clusterSummary: RpcTopic<ClusterSummaryQuestion, ClusterSummaryAnswer> = {
  topic: 'cluster.summary',
  timeoutMs: 60_000,
};

/** Use of a resource: memory in MiB, disk in GiB. */
export interface ResourceUse {
  total: number;
  capacity: number;
  used: number;
}

/** A host of `/internal/cluster/summary`. */
export interface ClusterHost {
  uuid: string;
  hostname: string;
  state: 'up' | 'down';
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  zone: string;
  aggregates: number[];
  instances: number;
  vcpus: ResourceUse;
  memory: ResourceUse;
  disk: ResourceUse;
  cpu_load: number | null;
  memory_load: number | null;
}

/** `/internal/cluster/summary`. */
export interface ClusterSummary {
  taken_at: string;
  age_seconds: number;
  complete: boolean;
  gaps: string[];
  load: { at: string; period_seconds: number; sources: string[]; error: string | null };
  totals: {
    hosts: number;
    hosts_up: number;
    hosts_enabled: number;
    hosts_empty: number;
    instances: number;
    vcpus: ResourceUse;
    memory: ResourceUse;
    disk: ResourceUse;
    cpu_load: { mean: number; deviation: number; min: number; max: number; hosts: number } | null;
  };
  aggregates: { id: number; name: string; zone: string | null }[];
  hosts: ClusterHost[];
}

/** An instance of `/internal/cluster/hosts/{hostname}`. */
export interface HostInstance {
  uuid: string;
  name: string;
  project_id: string | null;
  state: string;
  vcpus: number;
  memory: number;
  disk: number;
  locked: boolean;
  busy: boolean;
  server_group: string | null;
  cpu_load: number | null;
}

/** `/internal/history/hosts/…` and `/internal/history/instances/…`. */
export interface HistorySeries {
  step: number;
  series: { metric: string; unit: string; at: number[]; values: number[] }[];
}

/** `/internal/history/spread`. */
export interface HistorySpread {
  metric: string;
  unit: string;
  at: number[];
  mean: number[];
  deviation: number[];
  min: number[];
  max: number[];
}

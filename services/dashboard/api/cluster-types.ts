import type { components } from './generated/internal-schema.ts';

type Schemas = components['schemas'];

/** `/internal/forecasts/hosts/{host}`: expected load, hour by hour. */
export type LoadForecast = Schemas['LoadForecast'];

/** A host of `/internal/cluster/summary`. */
export type ClusterHost = Schemas['HostSummary'];

/** `/internal/cluster/summary`. */
export type ClusterSummary = Schemas['ClusterSummary'];

/** An instance of `/internal/cluster/hosts/{hostname}`. */
export type HostInstance = Schemas['InstanceSummary'];

/** `/internal/history/hosts/…` and `/internal/history/instances/…`. */
export type HistorySeries = Schemas['HistorySeries'];

/** `/internal/history/spread`. */
export type HistorySpread = Schemas['HistorySpread'];

export type {
  Consumer,
  DeadLetter,
  DeadLetters,
  Envelope,
  Handler,
  MessageBus,
  RequestHandler,
  Verdict,
} from './bus.ts';
export { auditTrigger } from './catalogue/audit-trigger.ts';
export { messageCatalogue } from './catalogue/catalogue.ts';
export type { MessageDefinition } from './catalogue/message-definition.ts';
export { message } from './catalogue/message-definition.ts';
export { outcomeMeasure } from './catalogue/outcome-measure.ts';
export { planLaunch } from './catalogue/plan-launch.ts';
export {
  BusUnavailableError,
  NoResponderError,
  RemoteRequestError,
  RequestTimeoutError,
} from './errors.ts';
export type {
  AuditPreviewRequest,
  AuditPreviewResponse,
} from './rpc/audit-preview.ts';
export {
  type AuditCompareRequest,
  type AuditCompareResponse,
  auditCompare,
  auditPreview,
} from './rpc/audit-preview.ts';
export type {
  AuditPlanRequest,
  AuditPlanResponse,
  PlanGainRequest,
  PlanGainResponse,
} from './rpc/audit-requests.ts';
export { auditPlan, auditSearchTopic, planGain } from './rpc/audit-requests.ts';
export { type CallOptions, callRpc, serveRpc } from './rpc/call-rpc.ts';
export { type Call, followCancels } from './rpc/cancels.ts';
export type {
  CapacityForecastRequest,
  CapacityForecastResponse,
  CapacityKind,
  CapacityResource,
} from './rpc/capacity-forecast.ts';
export { capacityForecast, capacityForecastSchemas, capacityKinds } from './rpc/capacity-forecast.ts';
export type {
  ClusterFindRequest,
  ClusterFindResponse,
  ClusterInstanceRequest,
  ClusterInstanceResponse,
  ClusterRulesResponse,
  Found,
  FoundKind,
} from './rpc/cluster-find.ts';
export {
  clusterFind,
  clusterFindSchemas,
  clusterInstance,
  clusterRules,
  foundKinds,
  ruleEffectSchemas,
} from './rpc/cluster-find.ts';
export type { ClusterHostRequest, ClusterHostResponse, InstanceSummary } from './rpc/cluster-host.ts';
export {
  type ClusterUsesRequest,
  type ClusterUsesResponse,
  clusterHost,
  clusterHostSchemas,
  clusterUses,
} from './rpc/cluster-host.ts';
export type { ClusterPastRequest, ClusterPastResponse, PastUse } from './rpc/cluster-past.ts';
export { clusterPast, clusterPastDays, clusterPastSchemas, mostMovedInstances } from './rpc/cluster-past.ts';
export type {
  ClusterSummaryRequest,
  ClusterSummaryResponse,
  ClusterTotals,
  HostSummary,
  LoadMeasurement,
  ResourceUse,
} from './rpc/cluster-summary.ts';
export { clusterSummary, clusterSummarySchemas } from './rpc/cluster-summary.ts';
export type { FullestHost, HistoryFullestRequest, HistoryFullestResponse } from './rpc/history-fullest.ts';
export { fullestHostDays, historyFullest, historyFullestSchemas } from './rpc/history-fullest.ts';
export type { HistorySeriesRequest, HistorySeriesResponse, MetricSeries } from './rpc/history-series.ts';
export { historySeries, historySeriesSchemas } from './rpc/history-series.ts';
export type { HistorySpreadRequest, HistorySpreadResponse } from './rpc/history-spread.ts';
export { historySpread, historySpreadSchemas } from './rpc/history-spread.ts';
export {
  historySeriesLimits,
  historySpreadLimits,
  historyWindowFault,
  lastHistorySecond,
  maxHistoryStep,
} from './rpc/history-window.ts';
export type { ForecastKind, LoadForecastRequest, LoadForecastResponse } from './rpc/load-forecast.ts';
export {
  forecastHours,
  forecastKinds,
  forecastLoads,
  loadForecast,
  loadForecastSchemas,
  usualFullAt,
} from './rpc/load-forecast.ts';
export type { ModelGetRequest, ModelGetResponse } from './rpc/model-get.ts';
export { modelGet, type PlanHostsRequest, planHosts } from './rpc/model-get.ts';
export type { ModelResyncResponse } from './rpc/model-resync.ts';
export { modelResyncTopic } from './rpc/model-resync.ts';
export type { KnownGain } from './rpc/request-plan-gain.ts';
export { requestPlanGain } from './rpc/request-plan-gain.ts';
export type { RpcErrorCode, RpcRefusal, RpcTopic } from './rpc/rpc-topic.ts';
export { isRefusal, refuse, refuseBecause } from './rpc/rpc-topic.ts';
export type { ServiceResponse } from './rpc/service-request.ts';
export { serviceTopic } from './rpc/service-request.ts';
export type {
  Availability,
  StrategyInfoRequest,
  StrategyInfoResponse,
  StrategyRequirement,
} from './rpc/strategy-info.ts';
export { strategyInfo } from './rpc/strategy-info.ts';
export type { ClusterWhatIfRequest, ClusterWhatIfResponse } from './rpc/what-if.ts';
export { clusterWhatIf, whatIfSchemas } from './rpc/what-if.ts';

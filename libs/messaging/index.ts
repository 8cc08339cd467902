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
  AuditPreviewQuestion,
  AuditPreviewResponse,
} from './rpc/audit-preview.ts';
export {
  type AuditCompareQuestion,
  type AuditCompareResponse,
  auditCompare,
  auditPreview,
} from './rpc/audit-preview.ts';
export type {
  AuditPlanQuestion,
  AuditPlanResponse,
  PlanGainQuestion,
  PlanGainResponse,
} from './rpc/audit-questions.ts';
export { auditPlan, auditSearchTopic, planGain } from './rpc/audit-questions.ts';
export { type CallOptions, callRpc, serveRpc } from './rpc/call-rpc.ts';
export { type Call, followCancels } from './rpc/cancels.ts';
export type {
  CapacityForecastQuestion,
  CapacityForecastResponse,
  CapacityKind,
  CapacityResource,
} from './rpc/capacity-forecast.ts';
export { capacityForecast, capacityForecastSchemas, capacityKinds } from './rpc/capacity-forecast.ts';
export type {
  ClusterFindQuestion,
  ClusterFindResponse,
  ClusterInstanceQuestion,
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
export type { ClusterHostQuestion, ClusterHostResponse, InstanceSummary } from './rpc/cluster-host.ts';
export {
  type ClusterUsesQuestion,
  type ClusterUsesResponse,
  clusterHost,
  clusterHostSchemas,
  clusterUses,
} from './rpc/cluster-host.ts';
export type { ClusterPastQuestion, ClusterPastResponse, PastUse } from './rpc/cluster-past.ts';
export { clusterPast, clusterPastDays, clusterPastSchemas } from './rpc/cluster-past.ts';
export type {
  ClusterSummaryQuestion,
  ClusterSummaryResponse,
  ClusterTotals,
  HostSummary,
  LoadMeasurement,
  ResourceUse,
} from './rpc/cluster-summary.ts';
export { clusterSummary, clusterSummarySchemas } from './rpc/cluster-summary.ts';
export type { HistorySeriesQuestion, HistorySeriesResponse, MetricSeries } from './rpc/history-series.ts';
export { historySeries, historySeriesSchemas } from './rpc/history-series.ts';
export type { HistorySpreadQuestion, HistorySpreadResponse } from './rpc/history-spread.ts';
export { historySpread, historySpreadSchemas } from './rpc/history-spread.ts';
export {
  historySeriesLimits,
  historySpreadLimits,
  historyWindowFault,
  lastHistorySecond,
  maxHistoryStep,
} from './rpc/history-window.ts';
export type { ForecastKind, LoadForecastQuestion, LoadForecastResponse } from './rpc/load-forecast.ts';
export {
  forecastHours,
  forecastKinds,
  forecastLoads,
  loadForecast,
  loadForecastSchemas,
  usualFullAt,
} from './rpc/load-forecast.ts';
export type { ModelGetQuestion, ModelGetResponse } from './rpc/model-get.ts';
export { modelGet, type PlanHostsQuestion, planHosts } from './rpc/model-get.ts';
export type { ModelResyncResponse } from './rpc/model-resync.ts';
export { modelResyncTopic } from './rpc/model-resync.ts';
export type { KnownGain } from './rpc/request-plan-gain.ts';
export { requestPlanGain } from './rpc/request-plan-gain.ts';
export type { RpcErrorCode, RpcRefusal, RpcTopic } from './rpc/rpc-topic.ts';
export { isRefusal, refuse, refuseBecause } from './rpc/rpc-topic.ts';
export type { ServiceResponse } from './rpc/service-question.ts';
export { serviceTopic } from './rpc/service-question.ts';
export type {
  Availability,
  StrategyInfoQuestion,
  StrategyInfoResponse,
  StrategyRequirement,
} from './rpc/strategy-info.ts';
export { strategyInfo } from './rpc/strategy-info.ts';
export type { ClusterWhatIfQuestion, ClusterWhatIfResponse } from './rpc/what-if.ts';
export { clusterWhatIf, whatIfSchemas } from './rpc/what-if.ts';

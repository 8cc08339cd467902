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
  NobodyAnswersError,
  RemoteRequestError,
  RequestTimeoutError,
} from './errors.ts';
export { answer, ask } from './rpc/ask.ts';
export type { AskedGain } from './rpc/ask-plan-gain.ts';
export { askPlanGain } from './rpc/ask-plan-gain.ts';
export type {
  AuditPreviewAnswer,
  AuditPreviewQuestion,
} from './rpc/audit-preview.ts';
export { type AuditCompareAnswer, type AuditCompareQuestion, auditCompare, auditPreview } from './rpc/audit-preview.ts';
export type { AuditPlanAnswer, AuditPlanQuestion, PlanGainAnswer, PlanGainQuestion } from './rpc/audit-questions.ts';
export { auditPlan, auditSearchTopic, planGain } from './rpc/audit-questions.ts';
export type {
  ClusterFindAnswer,
  ClusterFindQuestion,
  ClusterInstanceAnswer,
  ClusterInstanceQuestion,
  ClusterRulesAnswer,
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
export type { ClusterHostAnswer, ClusterHostQuestion, InstanceSummary } from './rpc/cluster-host.ts';
export {
  type ClusterUsesAnswer,
  type ClusterUsesQuestion,
  clusterHost,
  clusterHostSchemas,
  clusterUses,
} from './rpc/cluster-host.ts';
export type {
  ClusterSummaryAnswer,
  ClusterSummaryQuestion,
  ClusterTotals,
  HostSummary,
  LoadMeasurement,
  ResourceUse,
} from './rpc/cluster-summary.ts';
export { clusterSummary, clusterSummarySchemas } from './rpc/cluster-summary.ts';
export type { HistorySeriesAnswer, HistorySeriesQuestion, MetricSeries } from './rpc/history-series.ts';
export { historySeries, historySeriesSchemas } from './rpc/history-series.ts';
export type { HistorySpreadAnswer, HistorySpreadQuestion } from './rpc/history-spread.ts';
export { historySpread, historySpreadSchemas } from './rpc/history-spread.ts';
export {
  historySeriesLimits,
  historySpreadLimits,
  historyWindowFault,
  lastHistorySecond,
  maxHistoryStep,
} from './rpc/history-window.ts';
export type { ModelGetAnswer, ModelGetQuestion } from './rpc/model-get.ts';
export { modelGet, type PlanHostsQuestion, planHosts } from './rpc/model-get.ts';
export type { ModelResyncAnswer } from './rpc/model-resync.ts';
export { modelResyncTopic } from './rpc/model-resync.ts';
export type { RpcErrorCode, RpcRefusal, RpcTopic } from './rpc/rpc-topic.ts';
export { isRefusal, refuse, refuseBecause } from './rpc/rpc-topic.ts';
export type { ServiceAnswer } from './rpc/service-question.ts';
export { serviceTopic } from './rpc/service-question.ts';
export type {
  Availability,
  StrategyInfoAnswer,
  StrategyInfoQuestion,
  StrategyRequirement,
} from './rpc/strategy-info.ts';
export { strategyInfo } from './rpc/strategy-info.ts';

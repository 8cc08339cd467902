import { applyScope, type ComputeSnapshot, toDataModelList } from '#libs/cluster-model';
import type { AuditScope } from '#libs/domain';
import {
  auditCompare,
  auditPlan,
  auditPreview,
  auditSearchTopic,
  type Call,
  type Consumer,
  capacityForecast,
  clusterFind,
  clusterHost,
  clusterInstance,
  clusterPast,
  clusterRules,
  clusterSummary,
  clusterUses,
  clusterWhatIf,
  followCancels,
  historyFullest,
  historySeries,
  historySpread,
  isRefusal,
  loadForecast,
  type MessageBus,
  type ModelGetRequest,
  type ModelGetResponse,
  modelGet,
  planGain,
  planHosts,
  type RpcRefusal,
  refuse,
  refuseBecause,
  serveRpc,
  strategyInfo,
} from '#libs/messaging';
import type { Store } from '#libs/store';
import type { SearchBoard } from '../audit-runner/search-board.ts';
import { respondWhatIf, type WhatIfDeps } from '../cluster/compute-what-if.ts';
import { describeCluster, describeHost, describeInstance } from '../cluster/describe-cluster.ts';
import { describeRules } from '../cluster/describe-rules.ts';
import { describeUses } from '../cluster/describe-uses.ts';
import { findInCluster } from '../cluster/find-in-cluster.ts';
import { createCapacityForecaster } from '../cluster/forecast-capacity.ts';
import { createLoadForecaster } from '../cluster/forecast-load.ts';
import { fullestHosts } from '../cluster/fullest-hosts.ts';
import type { PastCloud } from '../cluster/past/move-book.ts';
import { createPastReader } from '../cluster/past/past-reader.ts';
import { predictPlanHosts } from '../cluster/predict-plan-hosts.ts';
import { readSeries } from '../cluster/read-series.ts';
import { createSpreadReader } from '../cluster/spread-reader.ts';
import type { ModelKeeper } from '../model/model-keeper.ts';
import { type DescribeStrategyDeps, describeStrategy } from './describe-strategy.ts';
import { evaluatePlan } from './evaluate-plan.ts';
import { planVariant } from './plan-variant.ts';
import { compareAudits, type PreviewDeps, previewAudit } from './preview-audit.ts';

interface GetModelDeps {
  store: Store;
  model: ModelKeeper;
  modelMaxAgeMs: number;
}

export type RequestDeps = DescribeStrategyDeps &
  GetModelDeps &
  Pick<WhatIfDeps, 'novaFilters'> & { cloud: WhatIfDeps['cloud'] & PastCloud } & Omit<
    PreviewDeps,
    'signal' | 'requester'
  >;

/**
 * Serves the requests of other processes until stopped. Ends running previews then, and when their client no longer
 * waits.
 */
export async function serveRequests(
  bus: Pick<MessageBus, 'respond' | 'subscribe'>,
  deps: RequestDeps,
): Promise<Consumer> {
  const ending = new AbortController();
  const cancels = await followCancels(bus);
  // Created for each request: settings may have been reloaded.
  const previewDeps = ({ requester, signal }: Call) => ({
    ...deps,
    requester: requester ?? undefined,
    signal: AbortSignal.any([ending.signal, signal]),
  });
  const responders = await Promise.all([
    serveRpc(bus, strategyInfo, (request) => describeStrategy(request, deps)),
    serveRpc(bus, modelGet, (request) => getModel(request, deps)),
    serveRpc(bus, auditPreview, (request, call) => previewAudit(request, previewDeps(call)), cancels),
    serveRpc(bus, auditCompare, (request, call) => compareAudits(request, previewDeps(call)), cancels),
    serveRpc(bus, auditPlan, (request, call) => planVariant(request, previewDeps(call)), cancels),
    serveRpc(bus, clusterSummary, (request) => describeCluster(request, deps)),
    serveRpc(bus, clusterHost, (request) => describeHost(request, deps)),
    serveRpc(bus, clusterFind, (request) => findInCluster(request, deps)),
    serveRpc(bus, clusterInstance, (request) => describeInstance(request, deps)),
    serveRpc(bus, clusterRules, () => describeRules(deps)),
    serveRpc(bus, clusterPast, createPastReader(deps)),
    serveRpc(bus, clusterUses, (request) => describeUses(request, deps)),
    serveRpc(bus, clusterWhatIf, (question, call) => respondWhatIf(question, previewDeps(call)), cancels),
    serveRpc(bus, planGain, (request, call) => evaluatePlan(request, previewDeps(call)), cancels),
    serveRpc(bus, planHosts, (request) => predictPlanHosts(request, deps)),
    serveRpc(bus, historySeries, (request) => readSeries(request, deps)),
    serveRpc(bus, historyFullest, (request) => fullestHosts(request, deps)),
    serveRpc(bus, historySpread, createSpreadReader(deps)),
    serveRpc(bus, loadForecast, createLoadForecaster(deps)),
    serveRpc(bus, capacityForecast, createCapacityForecaster(deps)),
  ]);
  return {
    async stop() {
      ending.abort(new Error('the decision engine stops'));
      await Promise.all([cancels, ...responders].map((responder) => responder.stop()));
    },
  };
}

/** Returns `model.get`. Only the compute model has a list form, as in Watcher. */
export async function getModel(
  { data_model_type, audit }: ModelGetRequest,
  { store, model, modelMaxAgeMs }: GetModelDeps,
): Promise<ModelGetResponse | RpcRefusal> {
  if (data_model_type !== 'compute')
    return refuse('data_model_not_found', `The ${data_model_type} data model could not be found`);
  const scope = await scopeOf(store, audit);
  if (!Array.isArray(scope)) return scope;
  const snapshot: ComputeSnapshot | RpcRefusal = await model
    .fresh(modelMaxAgeMs)
    .catch((error: unknown) => refuse('model_not_available', error));
  if (isRefusal(snapshot)) return snapshot;
  try {
    return { context: toDataModelList(applyScope(snapshot, scope).snapshot) };
  } catch (error) {
    return refuseBecause(error, 'model_not_available');
  }
}

async function scopeOf(store: Store, audit: string | null): Promise<AuditScope | RpcRefusal> {
  if (audit === null) return [];
  const found = await store.db.audits.find(audit);
  return found ? found.scope : refuse('audit_not_found', `Audit ${audit} could not be found`);
}

/** Returns `audit.search` for the audits that run in this process. */
export function serveSearch(
  bus: Pick<MessageBus, 'respond'>,
  instanceId: string,
  searches: Pick<SearchBoard, 'status' | 'finish'>,
): Promise<Consumer> {
  return serveRpc(bus, auditSearchTopic(instanceId), async ({ op, audit_uuid: uuid }) => ({
    search: op === 'finish' ? searches.finish(uuid) : searches.status(uuid),
  }));
}

import {
  answer,
  auditCompare,
  auditPlan,
  auditPreview,
  type Consumer,
  clusterHost,
  clusterSummary,
  clusterUses,
  historySeries,
  historySpread,
  type MessageBus,
  modelGet,
  planHosts,
  strategyInfo,
} from '#libs/messaging';
import { describeCluster, describeHost } from './cluster/answer-cluster.ts';
import { predictPlanHosts } from './cluster/answer-plan-hosts.ts';
import { readSeries } from './cluster/answer-series.ts';
import { describeUses } from './cluster/answer-uses.ts';
import { createSpreadReader } from './cluster/spread-reader.ts';
import { type DescribeStrategyDeps, describeStrategy } from './describe-strategy.ts';
import { type GetModelDeps, getModel } from './get-model.ts';
import { planVariant } from './plan-variant.ts';
import { compareAudits, type PreviewDeps, previewAudit } from './preview-audit.ts';

export type QuestionDeps = DescribeStrategyDeps & GetModelDeps & Omit<PreviewDeps, 'signal'>;

/** Answers the questions of other processes until stopped; previews under way are ended then. */
export async function answerQuestions(bus: Pick<MessageBus, 'respond'>, deps: QuestionDeps): Promise<Consumer> {
  const ending = new AbortController();
  const previewDeps = { ...deps, signal: ending.signal };
  const responders = await Promise.all([
    answer(bus, strategyInfo, (question) => describeStrategy(question, deps)),
    answer(bus, modelGet, (question) => getModel(question, deps)),
    answer(bus, auditPreview, (question) => previewAudit(question, previewDeps)),
    answer(bus, auditCompare, (question) => compareAudits(question, previewDeps)),
    answer(bus, auditPlan, (question) => planVariant(question, previewDeps)),
    answer(bus, clusterSummary, (question) => describeCluster(question, deps)),
    answer(bus, clusterHost, (question) => describeHost(question, deps)),
    answer(bus, clusterUses, (question) => describeUses(question, deps)),
    answer(bus, planHosts, (question) => predictPlanHosts(question, deps)),
    answer(bus, historySeries, (question) => readSeries(question, deps)),
    answer(bus, historySpread, createSpreadReader(deps)),
  ]);
  return {
    async stop() {
      ending.abort(new Error('the decision engine stops'));
      await Promise.all(responders.map((responder) => responder.stop()));
    },
  };
}

import {
  answer,
  auditCompare,
  auditPreview,
  type Consumer,
  type MessageBus,
  modelGet,
  strategyInfo,
} from '#libs/messaging';
import { type DescribeStrategyDeps, describeStrategy } from './describe-strategy.ts';
import { type GetModelDeps, getModel } from './get-model.ts';
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
  ]);
  return {
    async stop() {
      ending.abort(new Error('the decision engine stops'));
      await Promise.all(responders.map((responder) => responder.stop()));
    },
  };
}

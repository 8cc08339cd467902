import type { RpcTopic } from './rpc-topic.ts';

/** `plan.gain`: what is left, on the newest model, of what a plan was to gain when it was made. */
export interface PlanGainQuestion {
  plan_uuid: string;
}

/** `left`: part of the gain, 0 to 1 (more, when it would gain more now); null where it cannot be told: such a plan is judged by nobody. */
export interface PlanGainAnswer {
  left: number | null;
}

/** Refusals: `model_not_available`, `strategy_failed`. */
export const planGain: RpcTopic<PlanGainQuestion, PlanGainAnswer> = {
  topic: 'plan.gain',
  timeoutMs: 20_000,
};

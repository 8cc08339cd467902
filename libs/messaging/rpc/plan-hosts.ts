import type { JsonObject, PlanHosts } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `plan.hosts`: hosts before and after actions that no strategy made, such as those of a rollback. */
export interface PlanHostsQuestion {
  /** In the order in which they would be carried out. */
  actions: { action_type: string; input_parameters: JsonObject }[];
}

/** Those hosts that the actions touch. Refusals: `model_not_available`. */
export const planHosts: RpcTopic<PlanHostsQuestion, PlanHosts> = {
  topic: 'plan.hosts',
  timeoutMs: 10_000,
};

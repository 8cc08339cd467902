import type { RpcTopic } from './rpc-topic.ts';

/** `strategy.info`: the requirements of a strategy, and whether they are currently met. */
export interface StrategyInfoRequest {
  strategy_name: string;
}

/** Watcher's words for a requirement of a strategy. */
export type Availability = 'available' | 'not available';

/** One requirement in Watcher's form. `comment` explains a missing requirement, and is empty otherwise. */
export type StrategyRequirement =
  | { type: 'Datasource'; state: string; mandatory: true; comment: string }
  | { type: 'Metrics'; state: Record<string, Availability>[]; mandatory: false; comment: string }
  | { type: 'CDM'; state: Record<string, Availability>[]; mandatory: true; comment: string };

/** Datasource, Metrics and CDM in this order. The API adds the entry `Name`. */
export interface StrategyInfoResponse {
  requirements: StrategyRequirement[];
}

/** Refusals: `strategy_not_found`. */
export const strategyInfo: RpcTopic<StrategyInfoRequest, StrategyInfoResponse> = {
  topic: 'strategy.info',
  timeoutMs: 30_000,
};

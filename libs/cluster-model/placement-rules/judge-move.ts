import type { ConstraintName } from '../what-if.ts';
import { instanceTest, type RuledInstance } from './instance-test.ts';
import { createRuleEvaluator } from './rule-evaluator.ts';
import { hostTest, type RuledHost, type RuleText } from './with-rules.ts';

/** A move of one instance, with the facts about its surroundings that rules need. */
export interface RuledMove {
  instance: RuledInstance;
  from: RuledHost;
  to: RuledHost;
  /** Other instances on the two hosts. */
  others: readonly { instance: RuledInstance; on: 'from' | 'to' }[];
}

/** Whether a rule can refuse moves of the instance. */
export function mayRefuse({ kind, isStrict, instances }: RuleText, instance: RuledInstance): boolean {
  return (isStrict || kind === 'leave_alone') && instanceTest(instances)(instance);
}

/** Reason of the rule for a refusal of the move, as in a what-if of a whole cloud. Null if it allows it. */
export function judgeMove(rule: RuleText, { instance, from, to, others }: RuledMove): ConstraintName | null {
  if (!mayRefuse(rule, instance)) return null;
  if (rule.kind === 'leave_alone') return 'rule-leave-alone';
  const isAbout = instanceTest(rule.instances);
  const peers = others.filter((other) => isAbout(other.instance));
  const hostOf = Int32Array.from([0, ...peers.map(({ on }) => Number(on === 'to'))]);
  const resolved = {
    ...rule,
    maxPerHost: rule.maxPerHost ?? 1,
    instances: Int32Array.from(hostOf.keys()),
    hosts: rule.hosts && Uint8Array.from([from, to], (host) => Number(hostTest(rule.hosts ?? {})(host))),
  };
  return createRuleEvaluator({ rules: [resolved], instances: { host: hostOf } }, hostOf).refusal(0, 1);
}

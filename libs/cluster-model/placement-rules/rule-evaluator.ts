import type { InstanceColumns, ResolvedRule } from '../compute-snapshot.ts';
import type { ConstraintName } from '../what-if.ts';

/** The effects of the operator's rules on a move, updated with each move. */
export interface RuleEvaluator {
  /** Whether the instance must stay where it is. */
  leavesAlone(instance: number): boolean;
  refusal(instance: number, host: number): ConstraintName | null;
  /** The cost of the instance on the host by soft rules: broken pairs, and 1 for each host rule. */
  softCost(instance: number, host: number): number;
  /** A host of −1 is none. */
  moved(instance: number, from: number, to: number): void;
}

interface Counted {
  rule: ResolvedRule;
  /** Instances of the rule by host. Empty for rules about hosts. */
  onHost: Map<number, number>;
  /** Instances of the rule on any host. */
  placed: number;
}

const silent: RuleEvaluator = {
  leavesAlone: () => false,
  refusal: () => null,
  softCost: () => 0,
  moved: () => undefined,
};

/** The part of a snapshot that rules use. */
interface RuledSnapshot {
  rules?: readonly ResolvedRule[];
  instances: Pick<InstanceColumns, 'host'>;
}

/**
 * The rules of a snapshot. Strict rules refuse moves that break them or worsen a break: a move to a host at its share
 * (`keep_apart`), to a host with fewer of the others (`keep_together`), or to a host that is not preferred or is
 * avoided.
 * Other rules add a cost.
 * @param hostOf current host row of each instance, read after each move
 */
export function createRuleEvaluator({ rules, instances }: RuledSnapshot, hostOf: Int32Array): RuleEvaluator {
  if (!rules || rules.length === 0) return silent;
  const counted = rules.map((rule): Counted => ({ rule, onHost: new Map(), placed: 0 }));
  const rulesOf: (Counted[] | undefined)[] = Array.from({ length: instances.host.length });
  for (const entry of counted) {
    for (const row of entry.rule.instances) {
      const known = rulesOf[row];
      if (known) known.push(entry);
      else rulesOf[row] = [entry];
      add(entry, instances.host[row] as number, 1);
    }
  }

  /** Other instances of the rule on the host. */
  function others({ onHost }: Counted, instance: number, host: number): number {
    return (onHost.get(host) ?? 0) - Number(hostOf[instance] === host);
  }

  function refusalOf(entry: Counted, instance: number, host: number): ConstraintName | null {
    const { kind, isStrict, hosts, maxPerHost } = entry.rule;
    if (!isStrict) return null;
    if (kind === 'keep_apart') return others(entry, instance, host) >= maxPerHost ? 'rule-apart' : null;
    if (kind === 'keep_together') {
      const here = others(entry, instance, hostOf[instance] as number);
      return others(entry, instance, host) < here ? 'rule-together' : null;
    }
    return hosts && (hosts[host] === 1) !== (kind === 'prefer_hosts') ? 'rule-hosts' : null;
  }

  function costOf(entry: Counted, instance: number, host: number): number {
    const { kind, isStrict, hosts, maxPerHost } = entry.rule;
    if (isStrict) return 0;
    if (kind === 'keep_apart') return Math.max(0, others(entry, instance, host) + 1 - maxPerHost);
    if (kind === 'keep_together') return entry.placed - 1 - others(entry, instance, host);
    return hosts && (hosts[host] === 1) !== (kind === 'prefer_hosts') ? 1 : 0;
  }

  return {
    leavesAlone: (instance) => rulesOf[instance]?.some(({ rule }) => rule.kind === 'leave_alone') ?? false,
    refusal(instance, host) {
      for (const entry of rulesOf[instance] ?? []) {
        const because = refusalOf(entry, instance, host);
        if (because !== null) return because;
      }
      return null;
    },
    softCost(instance, host) {
      let cost = 0;
      for (const entry of rulesOf[instance] ?? []) cost += costOf(entry, instance, host);
      return cost;
    },
    moved(instance, from, to) {
      for (const entry of rulesOf[instance] ?? []) {
        add(entry, from, -1);
        add(entry, to, 1);
      }
    },
  };
}

function add(entry: Counted, host: number, change: number): void {
  const { kind } = entry.rule;
  if (host < 0 || (kind !== 'keep_apart' && kind !== 'keep_together')) return;
  entry.onHost.set(host, (entry.onHost.get(host) ?? 0) + change);
  entry.placed += change;
}

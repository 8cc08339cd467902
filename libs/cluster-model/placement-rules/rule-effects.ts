import type { ComputeSnapshot } from '../compute-snapshot.ts';
import { instanceTest } from './instance-test.ts';
import { type RuleText, withRules } from './with-rules.ts';

/** The present members of a rule, and its violations. */
export interface RuleEffect {
  /** Rows of the instances that the rule covers. */
  instances: number[];
  /** Rows of the hosts that it names. Null for rules without hosts. */
  hosts: number[] | null;
  /** Rows of instances that violate the rule. No plan moves them for the rule alone. */
  misplaced: number[];
}

/** The effects of rules on a model of the cloud, in their order. */
export function ruleEffects(snapshot: ComputeSnapshot, rules: readonly RuleText[]): RuleEffect[] {
  const { host } = snapshot.instances;
  return (withRules(snapshot, rules).snapshot.rules ?? []).map((rule, at) => {
    const rows = [...rule.instances];
    const named = rule.hosts && [...rule.hosts.keys()].filter((row) => rule.hosts?.[row] === 1);
    const placed = rows.filter((row) => (host[row] as number) >= 0);
    return { instances: rows, hosts: named, misplaced: misplacedOf(rules[at] as RuleText, placed, host, rule.hosts) };
  });
}

/** Names of the rules that cover an instance, in their order. */
export function rulesAbout(snapshot: ComputeSnapshot, row: number, rules: readonly RuleText[]): string[] {
  const info = snapshot.instanceInfo[row];
  return info ? rules.filter(({ instances }) => instanceTest(instances)(info)).map(({ name }) => name) : [];
}

function misplacedOf(rule: RuleText, rows: number[], host: Int32Array, named: Uint8Array | null): number[] {
  const hostOf = (row: number) => host[row] as number;
  if (named) return rows.filter((row) => (named[hostOf(row)] === 1) !== (rule.kind === 'prefer_hosts'));
  if (rule.kind === 'leave_alone') return [];
  const together = new Map<number, number[]>();
  for (const row of rows) together.set(hostOf(row), [...(together.get(hostOf(row)) ?? []), row]);
  if (rule.kind === 'keep_apart') return [...together.values()].flatMap((group) => group.slice(rule.maxPerHost ?? 1));
  const most = Math.max(0, ...[...together.values()].map((group) => group.length));
  const home = [...together].find(([, group]) => group.length === most)?.[0];
  return rows.filter((row) => hostOf(row) !== home);
}

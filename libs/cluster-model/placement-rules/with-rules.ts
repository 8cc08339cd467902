import type { HostSelector, InstanceSelector, PlacementRule } from '#libs/domain';
import type { ComputeSnapshot, ResolvedRule } from '../compute-snapshot.ts';
import { createInstanceFinder } from './find-instances.ts';
import { wildcardTest } from './wildcard.ts';

/** The part of a rule that restricts the places of instances. */
export type RuleText = Pick<PlacementRule, 'name' | 'kind' | 'instances' | 'hosts' | 'isStrict' | 'maxPerHost'>;

/**
 * The same model with rules of the operator, which every what-if on it then enforces. `notes` names the rules that
 * cover nothing here. Everything else is shared. Call it last: rules name rows.
 */
export function withRules(
  snapshot: ComputeSnapshot,
  rules: readonly RuleText[],
): { snapshot: ComputeSnapshot; notes: string[] } {
  if (rules.length === 0) return { snapshot, notes: [] };
  const find = createInstanceFinder(snapshot.instanceInfo);
  const hosts = ruledHosts(snapshot);
  const resolved = rules.map((rule) => resolve(rule, { find, hosts }));
  return {
    snapshot: { ...snapshot, rules: resolved },
    notes: resolved.flatMap(notesOf),
  };
}

/** Parts of a snapshot that rules name. */
interface Named {
  find(selector: InstanceSelector): Int32Array;
  hosts: readonly RuledHost[];
}

function resolve(rule: RuleText, { find, hosts }: Named): ResolvedRule {
  return {
    name: rule.name,
    kind: rule.kind,
    isStrict: rule.isStrict,
    maxPerHost: rule.maxPerHost ?? 1,
    instances: find(rule.instances),
    hosts: rule.hosts ? Uint8Array.from(hosts.map(hostTest(rule.hosts)), Number) : null,
  };
}

/** The attributes by which rules select hosts. `aggregates` are names. */
export interface RuledHost {
  hostname: string;
  zone: string;
  aggregates: readonly string[];
}

/** Whether a host meets one of the conditions. */
export function hostTest(selector: HostSelector): (host: RuledHost) => boolean {
  const tests = (selector.names ?? []).map(wildcardTest);
  const zones = new Set(selector.zones);
  const wanted = new Set(selector.aggregates);
  return ({ hostname, zone, aggregates }) =>
    tests.some((fits) => fits(hostname)) || zones.has(zone) || aggregates.some((name) => wanted.has(name));
}

function ruledHosts({ hostInfo, hosts, zones, aggregates }: ComputeSnapshot): RuledHost[] {
  return hostInfo.map(({ hostname, aggregates: member }, row) => ({
    hostname,
    zone: zones[hosts.zone[row] as number] ?? '',
    aggregates: member.map((index) => aggregates[index]?.name ?? ''),
  }));
}

function notesOf({ name, instances, hosts }: ResolvedRule): string[] {
  if (instances.length === 0) return [`rule ${name} fits no instance within the scope`];
  if (hosts?.every((named) => named === 0)) return [`rule ${name} names no host within the scope`];
  return [];
}

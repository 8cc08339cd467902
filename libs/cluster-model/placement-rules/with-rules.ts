import type { HostSelector, InstanceSelector, PlacementRule } from '#libs/domain';
import type { ComputeSnapshot, InstanceInfo, ResolvedRule } from '../compute-snapshot.ts';

/** The part of a rule that says where instances may be. */
export type RuleText = Pick<PlacementRule, 'name' | 'kind' | 'instances' | 'hosts' | 'isStrict' | 'maxPerHost'>;

/**
 * The same model with rules of the operator, which every what-if on it then enforces. `notes` names the rules that are
 * about nothing here. Everything else is shared. Call it last: rules name rows.
 */
export function withRules(
  snapshot: ComputeSnapshot,
  rules: readonly RuleText[],
): { snapshot: ComputeSnapshot; notes: string[] } {
  if (rules.length === 0) return { snapshot, notes: [] };
  const resolved = rules.map((rule) => resolve(snapshot, rule));
  return {
    snapshot: { ...snapshot, rules: resolved },
    notes: resolved.flatMap(notesOf),
  };
}

function resolve(snapshot: ComputeSnapshot, rule: RuleText): ResolvedRule {
  const fits = instanceTest(rule.instances);
  const rows = snapshot.instanceInfo.flatMap((info, row) => (fits(info) ? row : []));
  return {
    name: rule.name,
    kind: rule.kind,
    isStrict: rule.isStrict,
    maxPerHost: rule.maxPerHost ?? 1,
    instances: Int32Array.from(rows),
    hosts: rule.hosts ? hostMask(snapshot, rule.hosts) : null,
  };
}

/** The attributes by which rules select instances. */
export type RuledInstance = Pick<InstanceInfo, 'uuid' | 'name' | 'projectId' | 'metadata' | 'flavorName'>;

/** The attributes by which rules select hosts; `aggregates` are names. */
export interface RuledHost {
  hostname: string;
  zone: string;
  aggregates: readonly string[];
}

/** A question about an instance. */
export type InstanceTest = (
  info: Pick<InstanceInfo, 'flavorExtraSpecs' | 'imageProperties' | 'imageSystem' | 'metadata'>,
) => boolean;

/**
 * Whether an instance meets one of the conditions `property=pattern`: of its image, else of its flavor (extra specs such as `trait:NAME`), else of its metadata.
 * Case does not count.
 */
export function licensedTest(conditions: readonly string[]): InstanceTest {
  const tests = conditions.map((condition) => {
    const at = condition.indexOf('=');
    return { key: condition.slice(0, at), fits: patternTest(condition.slice(at + 1).toLowerCase()) };
  });
  return ({ imageProperties, imageSystem, flavorExtraSpecs, metadata }) =>
    tests.some(({ key, fits }) => {
      const value = imageSystem?.[key] ?? imageProperties?.[key] ?? flavorExtraSpecs[key] ?? metadata[key];
      return value !== undefined && fits(value.toLowerCase());
    });
}

/** A selector without conditions is about nothing: it would be about everything by mistake. */
export function instanceTest(selector: InstanceSelector): (info: RuledInstance) => boolean {
  const { uuids, names, metadata, projects, flavors } = selector;
  const wanted = Object.entries(metadata ?? {}).map(([key, pattern]) => [key, patternTest(pattern)] as const);
  const given = [uuids, names, projects, flavors].some((list) => list && list.length > 0) || wanted.length > 0;
  if (!given) return () => false;
  const [isName, isFlavor] = [anyPattern(names), anyPattern(flavors)];
  const [owners, wantedUuids] = [new Set(projects), new Set(uuids)];
  return (info) =>
    (wantedUuids.size === 0 || wantedUuids.has(info.uuid)) &&
    isName(info.name) &&
    isFlavor(info.flavorName ?? '') &&
    (owners.size === 0 || owners.has(info.projectId)) &&
    wanted.every(([key, test]) => info.metadata[key] !== undefined && test(info.metadata[key]));
}

/** Whether a host meets one of the conditions. */
export function hostTest(selector: HostSelector): (host: RuledHost) => boolean {
  const tests = (selector.names ?? []).map(patternTest);
  const zones = new Set(selector.zones);
  const wanted = new Set(selector.aggregates);
  return ({ hostname, zone, aggregates }) =>
    tests.some((fits) => fits(hostname)) || zones.has(zone) || aggregates.some((name) => wanted.has(name));
}

function hostMask({ hostInfo, hosts, zones, aggregates }: ComputeSnapshot, selector: HostSelector): Uint8Array {
  const isNamed = hostTest(selector);
  return Uint8Array.from(hostInfo, ({ hostname, aggregates: member }, row) => {
    const zone = zones[hosts.zone[row] as number] ?? '';
    return Number(isNamed({ hostname, zone, aggregates: member.map((index) => aggregates[index]?.name ?? '') }));
  });
}

function notesOf({ name, instances, hosts }: ResolvedRule): string[] {
  if (instances.length === 0) return [`rule ${name} fits no instance within the scope`];
  if (hosts?.every((named) => named === 0)) return [`rule ${name} names no host within the scope`];
  return [];
}

/** Whether a text fits a pattern in which `*` stands for any characters and `?` for one; case counts. */
function patternTest(pattern: string): (text: string) => boolean {
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  const parts = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*');
  const expression = new RegExp(`^${parts.replaceAll('?', '.')}$`, 's');
  return (text) => expression.test(text);
}

/** Whether a text fits one of the patterns; without any, everything does. */
function anyPattern(patterns: readonly string[] | undefined): (text: string) => boolean {
  if (!patterns || patterns.length === 0) return () => true;
  const tests = patterns.map(patternTest);
  return (text) => tests.some((fits) => fits(text));
}

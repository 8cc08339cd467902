import { type AuditScope, computeRules, InvalidInputError, type JsonObject, objectsOf } from '#libs/domain';
import type { ComputeSnapshot, HostInfo, InstanceInfo } from './compute-snapshot.ts';
import { instanceFlag } from './compute-snapshot.ts';
import { keepHosts } from './keep-hosts.ts';

/** The effect of a scope on a snapshot. */
export interface ScopeReport {
  hostsRemoved: number;
  instancesRemoved: number;
  instancesExcluded: number;
  /** Names in the scope that the cloud does not have. They are ignored. */
  unknown: string[];
}

/** The selection of a scope's rules. */
interface Selection {
  /** Whether any include rule was present. Then only `hosts` stay, even if there are none. */
  limited: boolean;
  hosts: Set<number>;
  removed: Set<number>;
  instances: Set<string>;
  projects: Set<string>;
  metadata: Record<string, string>;
  unknown: string[];
}

function rejectMixedWildcard(keys: string[], field: string): void {
  if (keys.includes('*') && keys.length > 1) {
    throw new InvalidInputError(field, 'the wildcard * must be the only entry of its list');
  }
}

function aggregateHosts(snapshot: ComputeSnapshot, entries: JsonObject[], field: string, unknown: string[]): number[] {
  const keys = entries.map((entry) => String(entry.id ?? entry.name ?? ''));
  rejectMixedWildcard(keys, field);
  const rows = new Set<number>();
  for (const [index, entry] of entries.entries()) {
    const found = snapshot.aggregates.flatMap((aggregate, row) => {
      const same = entry.id === undefined ? aggregate.name === entry.name : String(aggregate.id) === keys[index];
      return keys[index] === '*' || same ? [row] : [];
    });
    if (found.length === 0) unknown.push(`aggregate ${keys[index]}`);
    for (const row of found) rows.add(row);
  }
  return snapshot.hostInfo.flatMap((host, row) =>
    host.aggregates.some((aggregate) => rows.has(aggregate)) ? row : [],
  );
}

function zoneHosts(snapshot: ComputeSnapshot, entries: JsonObject[], unknown: string[]): number[] {
  const names = entries.map((entry) => String(entry.name ?? ''));
  rejectMixedWildcard(names, 'availability_zones');
  if (names.includes('*')) return snapshot.hostInfo.map((_, row) => row);
  const wanted = new Set(names);
  for (const name of wanted) if (!snapshot.zones.includes(name)) unknown.push(`availability zone ${name}`);
  return snapshot.hostInfo.flatMap((_, row) =>
    wanted.has(snapshot.zones[snapshot.hosts.zone[row] as number] ?? '') ? row : [],
  );
}

function include(snapshot: ComputeSnapshot, rule: JsonObject, selection: Selection): void {
  for (const key of ['host_aggregates', 'availability_zones'] as const) {
    if (rule[key] === undefined) continue;
    selection.limited = true;
    const entries = objectsOf(rule[key], key);
    const rows =
      key === 'host_aggregates'
        ? aggregateHosts(snapshot, entries, key, selection.unknown)
        : zoneHosts(snapshot, entries, selection.unknown);
    for (const row of rows) selection.hosts.add(row);
  }
}

function excludeHosts(snapshot: ComputeSnapshot, rule: JsonObject, selection: Selection): void {
  const aggregates = objectsOf(rule.host_aggregates, 'exclude.host_aggregates');
  const rows = aggregateHosts(snapshot, aggregates, 'exclude.host_aggregates', selection.unknown);
  for (const { name } of objectsOf(rule.compute_nodes, 'exclude.compute_nodes')) {
    const row = snapshot.hostInfo.findIndex((host) => host.hostname === name);
    if (row < 0) selection.unknown.push(`compute node ${String(name)}`);
    else rows.push(row);
  }
  for (const row of rows) selection.removed.add(row);
}

function exclude(snapshot: ComputeSnapshot, rule: JsonObject, selection: Selection): void {
  excludeHosts(snapshot, rule, selection);
  for (const { uuid } of objectsOf(rule.instances, 'exclude.instances')) selection.instances.add(String(uuid));
  for (const { uuid } of objectsOf(rule.projects, 'exclude.projects')) selection.projects.add(String(uuid));
  for (const wanted of objectsOf(rule.instance_metadata, 'exclude.instance_metadata')) {
    for (const [key, value] of Object.entries(wanted)) selection.metadata[key] = String(value).toLowerCase();
  }
}

function readRules(snapshot: ComputeSnapshot, rules: JsonObject[]): Selection {
  const selection: Selection = {
    limited: false,
    hosts: new Set(),
    removed: new Set(),
    instances: new Set(),
    projects: new Set(),
    metadata: {},
    unknown: [],
  };
  for (const rule of rules) {
    include(snapshot, rule, selection);
    for (const excluded of objectsOf(rule.exclude, 'exclude')) exclude(snapshot, excluded, selection);
  }
  return selection;
}

/** All keys with all values must be present. Values are compared as texts, regardless of case. */
function hasMetadata(info: InstanceInfo, wanted: [string, string][]): boolean {
  return wanted.length > 0 && wanted.every(([key, value]) => info.metadata[key]?.toLowerCase() === value);
}

function isExcluded(info: InstanceInfo, selection: Selection, metadata: [string, string][]): boolean {
  return selection.instances.has(info.uuid) || selection.projects.has(info.projectId) || hasMetadata(info, metadata);
}

/** Marks instances in place (the snapshot is a private copy) and returns how many. */
function markExcluded(snapshot: ComputeSnapshot, selection: Selection): number {
  const metadata = Object.entries(selection.metadata);
  let count = 0;
  snapshot.instanceInfo.forEach((info, row) => {
    if (!isExcluded(info, selection, metadata)) return;
    snapshot.instances.flags[row] = (snapshot.instances.flags[row] as number) | instanceFlag.excluded;
    count++;
  });
  return count;
}

function reportUnknownInstances(snapshot: ComputeSnapshot, selection: Selection): void {
  if (selection.instances.size === 0) return;
  const known = new Set(snapshot.instanceInfo.map((info) => info.uuid));
  for (const uuid of selection.instances) if (!known.has(uuid)) selection.unknown.push(`instance ${uuid}`);
}

/**
 * Limits a snapshot to the scope of an audit, using the first `compute` entry that has rules. Included aggregates and
 * availability zones are united. Include rules that match nothing leave no host. Excluded compute nodes and aggregates
 * are removed with their instances. Excluded instances, projects and metadata only mark instances, which continue to
 * take room. Unknown names are reported and are never an error.
 * @throws InvalidInputError when a wildcard has other entries next to it or a rule does not have the documented shape.
 */
export function applyScope(
  snapshot: ComputeSnapshot,
  scope: AuditScope,
): { snapshot: ComputeSnapshot; report: ScopeReport } {
  const rules = computeRules(scope);
  if (rules.length === 0) {
    return { snapshot, report: { hostsRemoved: 0, instancesRemoved: 0, instancesExcluded: 0, unknown: [] } };
  }
  const selection = readRules(snapshot, rules);
  reportUnknownInstances(snapshot, selection);
  const stays = (_: HostInfo, row: number) =>
    (!selection.limited || selection.hosts.has(row)) && !selection.removed.has(row);
  const kept = keepHosts(snapshot, snapshot.hostInfo.map(stays));
  const hostsRemoved = snapshot.hostInfo.length - kept.hostInfo.length;
  const scoped = hostsRemoved > 0 ? { ...kept, hostsOutOfScope: hostsRemoved } : kept;
  return {
    snapshot: scoped,
    report: {
      hostsRemoved,
      instancesRemoved: snapshot.instanceInfo.length - scoped.instanceInfo.length,
      instancesExcluded: markExcluded(scoped, selection),
      unknown: selection.unknown,
    },
  };
}

/** Number of hosts of a cloud that are in both scopes. @throws InvalidInputError as `applyScope` */
export function hostsInBoth(whole: ComputeSnapshot, one: AuditScope, other: AuditScope): number {
  const own = new Set(applyScope(whole, one).snapshot.hostInfo.map(({ hostname }) => hostname));
  return applyScope(whole, other).snapshot.hostInfo.filter(({ hostname }) => own.has(hostname)).length;
}

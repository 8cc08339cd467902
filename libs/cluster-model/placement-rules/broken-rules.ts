import { createAdmission } from '../admission.ts';
import type { ResolvedRule } from '../compute-snapshot.ts';
import type { ConstraintName, WhatIf } from '../what-if.ts';

/** A hard rule that the present placement breaks. */
export interface BrokenRule {
  /** The constraint that refuses such a placement. */
  because: ConstraintName;
  /** Name of the operator's rule, or uuid of the server group. Null for zones and aggregates. */
  name: string | null;
  /** Rows of the instances that it counts, and the number of them above its limits. */
  instances: number[];
  misplaced: number;
  /** Rows of the hosts with too many of them. */
  hosts: number[];
  /** Number of its instances that each host may have. Infinity: any number. */
  most: Float64Array;
}

type Picture = Pick<WhatIf, 'snapshot' | 'hostOf' | 'enabled'>;

/** Constraints of an instance about hosts, regardless of other instances. */
const placeReasons: ReadonlySet<ConstraintName | null> = new Set<ConstraintName>(['zone', 'aggregate-isolation']);

/**
 * Hard server groups, strict rules of the operator, zones and aggregates that the instances break where they are now.
 * Soft groups and rules do not count.
 */
export function brokenRules(model: Picture): BrokenRule[] {
  return [...brokenGroups(model), ...(model.snapshot.rules ?? []).flatMap(brokenRule(model)), ...misplacedOnes(model)];
}

function brokenGroups(model: Picture): BrokenRule[] {
  const { groups, instances } = model.snapshot;
  const members = groups.map((): number[] => []);
  instances.group.forEach((group, row) => {
    if (group >= 0 && model.hostOf[row]! >= 0) members[group]!.push(row);
  });
  return groups.flatMap(({ policy, uuid, maxServerPerHost }, group): BrokenRule[] => {
    const rows = members[group]!;
    if (policy === 'anti-affinity')
      return found(model, { because: policy, name: uuid, rows }, apart(model, maxServerPerHost));
    return policy === 'affinity' ? found(model, { because: policy, name: uuid, rows }, together(model, rows)) : [];
  });
}

const brokenRule =
  (model: Picture) =>
  ({ name, kind, isStrict, maxPerHost, instances, hosts }: ResolvedRule): BrokenRule[] => {
    const rows = [...instances].filter((row) => model.hostOf[row]! >= 0);
    if (!isStrict || kind === 'leave_alone') return [];
    if (kind === 'keep_apart') return found(model, { because: 'rule-apart', name, rows }, apart(model, maxPerHost));
    if (kind === 'keep_together') return found(model, { because: 'rule-together', name, rows }, together(model, rows));
    if (hosts === null) return [];
    const most = Float64Array.from(hosts, (named) =>
      (named === 1) === (kind === 'prefer_hosts') ? Number.POSITIVE_INFINITY : 0,
    );
    return found(model, { because: 'rule-hosts', name, rows }, most);
  };

/** Instances whose zone or aggregates exclude their host, grouped by their allowed hosts. */
function misplacedOnes(model: Picture): BrokenRule[] {
  const { snapshot, hostOf } = model;
  const admission = createAdmission(snapshot);
  const kinds = new Map<number, { because: ConstraintName; rows: number[]; most: Float64Array }>();
  hostOf.forEach((host, row) => {
    const because = host < 0 ? null : admission.refusal(row, host);
    if (because === null || !placeReasons.has(because)) return;
    const known = kinds.get(admission.demandsOf(row));
    if (known !== undefined) {
      known.rows.push(row);
      return;
    }
    const admits = (to: number) => admission.refusal(row, to) === null;
    const most = Float64Array.from(snapshot.hostInfo, (_, to) => (admits(to) ? Number.POSITIVE_INFINITY : 0));
    kinds.set(admission.demandsOf(row), { because, rows: [row], most });
  });
  return [...kinds.values()].flatMap(({ because, rows, most }) => found(model, { because, name: null, rows }, most));
}

const apart = ({ snapshot }: Picture, most: number) => new Float64Array(snapshot.hostInfo.length).fill(most);

/** Any number on the host with the most of them, of equal ones on the first that accepts instances. None elsewhere. */
function together({ snapshot, hostOf, enabled }: Picture, rows: readonly number[]): Float64Array {
  const counts = new Float64Array(snapshot.hostInfo.length);
  for (const row of rows) counts[hostOf[row]!]! += 1;
  const worth = counts.map((count, host) => (count === 0 ? 0 : 2 * count + enabled[host]!));
  const home = worth.indexOf(Math.max(...worth));
  return counts.map((_, host) => (host === home ? Number.POSITIVE_INFINITY : 0));
}

function found(
  { hostOf }: Picture,
  { because, name, rows }: { because: ConstraintName; name: string | null; rows: number[] },
  most: Float64Array,
): BrokenRule[] {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(hostOf[row]!, (counts.get(hostOf[row]!) ?? 0) + 1);
  const crowded = [...counts].filter(([host, count]) => count > most[host]!);
  if (crowded.length === 0) return [];
  const misplaced = crowded.reduce((sum, [host, count]) => sum + count - most[host]!, 0);
  return [
    { because, name, instances: rows, misplaced, hosts: crowded.map(([host]) => host).sort((a, b) => a - b), most },
  ];
}

/** Instances that break a rule in the placement of `hostOf`. */
export function misplacedBy({ instances, most }: BrokenRule, hostOf: ArrayLike<number>): number {
  const counts = new Map<number, number>();
  for (const row of instances) counts.set(hostOf[row]!, (counts.get(hostOf[row]!) ?? 0) + 1);
  return [...counts].reduce((sum, [host, count]) => sum + (host < 0 ? 0 : Math.max(0, count - most[host]!)), 0);
}

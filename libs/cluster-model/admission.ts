import type { AggregateInfo, ComputeSnapshot, HostInfo, InstanceInfo } from './compute-snapshot.ts';
import { matchesExtraSpec } from './extra-spec-match.ts';
import { hardwareDemand, traitDemands } from './instance-demands.ts';
import type { ConstraintName } from './what-if.ts';

const scopedPrefix = 'aggregate_instance_extra_specs:';
const traitPrefix = 'trait:';
const tenantKey = 'filter_tenant_id';

/** The demands of an instance on a host apart from capacity. Instances with equal demands share one. */
interface Demands {
  pinnedZone: string;
  /** Empty when no aggregate is reserved for projects. */
  projectId: string;
  requiredTraits: string[];
  forbiddenTraits: string[];
  hugePages: boolean;
  numaNodes: boolean;
  /** Keys of aggregate metadata with the wanted value. */
  metadata: [key: string, wanted: string][];
  /** Paths of capabilities with the wanted value. */
  capabilities: [path: string, wanted: string][];
  /** Properties of the image that aggregates reserve hosts by. */
  image: [key: string, value: string][];
}

const verdicts = [
  'unknown',
  null,
  'zone',
  'aggregate-isolation',
  'trait',
  'huge-pages',
  'numa',
  'capability',
  'capability-unknown',
] as const;

/** Trait of hosts that show their NUMA nodes in Placement. */
const numaTrait = 'HW_NUMA_ROOT';

/** `small` and `any` need none. Placement does not count large pages. */
function asksForHugePages(info: InstanceInfo): boolean {
  const size = hardwareDemand(info, 'mem_page_size');
  return size !== undefined && size !== 'small' && size !== 'any';
}

function hasTenantKey(aggregate: AggregateInfo): boolean {
  return Object.keys(aggregate.metadata).some((key) => key.startsWith(tenantKey));
}

/** Extra specs that Nova compares with the metadata of aggregates: with the prefix, or unscoped with a known key. */
function metadataDemands({ flavorExtraSpecs }: InstanceInfo, aggregateKeys: ReadonlySet<string>): [string, string][] {
  return Object.entries(flavorExtraSpecs).flatMap(([key, value]): [string, string][] => {
    if (key.startsWith(scopedPrefix)) return [[key.slice(scopedPrefix.length), value]];
    return !key.includes(':') && aggregateKeys.has(key) ? [[key, value]] : [];
  });
}

function demandsOf(info: InstanceInfo, isolated: boolean, aggregateKeys: ReadonlySet<string>): Demands {
  const { required, forbidden } = traitDemands(info);
  return {
    pinnedZone: info.pinnedZone,
    projectId: isolated ? info.projectId : '',
    requiredTraits: required,
    forbiddenTraits: forbidden,
    hugePages: asksForHugePages(info),
    numaNodes: Number(hardwareDemand(info, 'numa_nodes') ?? 0) > 0,
    metadata: metadataDemands(info, aggregateKeys),
    capabilities: Object.entries(info.capabilities ?? {}),
    image: Object.entries(info.imageProperties ?? {}).filter(([key]) => aggregateKeys.has(key)),
  };
}

function asksNothing(demands: Demands): boolean {
  return (
    demands.pinnedZone === '' &&
    demands.projectId === '' &&
    !demands.hugePages &&
    !demands.numaNodes &&
    demands.image.length + demands.capabilities.length === 0 &&
    demands.requiredTraits.length + demands.forbiddenTraits.length + demands.metadata.length === 0
  );
}

/**
 * Projects for which the aggregates of a host reserve it. Null when it accepts every project. Nova unites the lists of
 * all aggregates.
 */
function admittedProjects(aggregates: AggregateInfo[]): ReadonlySet<string> | null {
  const lists = aggregates.flatMap((aggregate) =>
    Object.entries(aggregate.metadata).flatMap(([key, value]) => (key.startsWith(tenantKey) ? [value] : [])),
  );
  return lists.length === 0 ? null : new Set(lists.flatMap((list) => list.split(',').map((id) => id.trim())));
}

function hasMetadata(aggregates: AggregateInfo[], key: string, wanted: string): boolean {
  return aggregates.some((aggregate) => {
    const value = aggregate.metadata[key];
    return value?.split(',').some((part) => matchesExtraSpec(part.trim(), wanted)) ?? false;
  });
}

/** A host whose aggregates list values of an image property accepts only images with one of them. */
function admitsImage(aggregates: AggregateInfo[], key: string, value: string): boolean {
  const lists = aggregates.flatMap(({ metadata }) => metadata[key] ?? []);
  return lists.length === 0 || lists.some((list) => list.split(',').some((entry) => entry.trim() === value));
}

/** Traits for which the aggregates of a host reserve it (`trait:NAME=required`). */
function reservingTraits(aggregates: AggregateInfo[]): string[] {
  return aggregates.flatMap(({ metadata }) =>
    Object.entries(metadata).flatMap(([key, value]) =>
      key.startsWith(traitPrefix) && value === 'required' ? [key.slice(traitPrefix.length)] : [],
    ),
  );
}

/** Properties of a host that decide which instances it accepts, read once. */
interface Gate {
  zone: string;
  aggregates: AggregateInfo[];
  traits: readonly string[];
  projects: ReadonlySet<string> | null;
  reservingTraits: string[];
  capabilities: Readonly<Record<string, string | null>>;
}

function gateOf({ hostInfo, hosts, zones, aggregates }: ComputeSnapshot, host: number): Gate {
  const info = hostInfo[host] as HostInfo;
  const own = info.aggregates.flatMap((row) => aggregates[row] ?? []);
  return {
    zone: zones[hosts.zone[host] as number] ?? '',
    aggregates: own,
    traits: info.traits,
    projects: admittedProjects(own),
    reservingTraits: reservingTraits(own),
    capabilities: info.capabilities ?? {},
  };
}

function judge(demands: Demands, gate: Gate): number {
  const { aggregates, traits } = gate;
  if (demands.pinnedZone !== '' && demands.pinnedZone !== gate.zone) return 2;
  if (demands.projectId !== '' && gate.projects?.has(demands.projectId) === false) return 3;
  if (!demands.metadata.every(([key, wanted]) => hasMetadata(aggregates, key, wanted))) return 3;
  if (!demands.image.every(([key, value]) => admitsImage(aggregates, key, value))) return 3;
  if (!gate.reservingTraits.every((trait) => demands.requiredTraits.includes(trait))) return 3;
  if (!demands.requiredTraits.every((trait) => traits.includes(trait))) return 4;
  if (demands.forbiddenTraits.some((trait) => traits.includes(trait))) return 4;
  if (demands.hugePages) return 5;
  if (demands.numaNodes && !traits.includes(numaTrait)) return 6;
  return judgeCapabilities(demands.capabilities, gate.capabilities);
}

/** A demand that the host fails takes precedence over one that cannot be checked. */
function judgeCapabilities(demands: Demands['capabilities'], have: Gate['capabilities']): number {
  const isMet = ([path, wanted]: [string, string]) => {
    const value = have[path];
    return value === undefined || (value !== null && matchesExtraSpec(value, wanted));
  };
  if (!demands.every(isMet)) return 7;
  return demands.every(([path]) => have[path] !== undefined) ? 1 : 8;
}

/** Responses of zone pinning, aggregates, traits and capabilities. */
export interface Admission {
  refusal(instance: number, host: number): ConstraintName | null;
  /** Number of the demands of an instance. Equal demands share a number. −1: no demands. */
  demandsOf(instance: number): number;
  /** Rows of the instances that the host admits, ascending. Null when more than one in eight is admitted. */
  fewAdmitted(host: number): readonly number[] | null;
}

/** A host accepts few instances below this share of all. */
const fewShare = 1 / 8;

/** A snapshot is frozen, and several views are made of it in one audit. */
const admissions = new WeakMap<ComputeSnapshot, Admission>();

/**
 * Returns whether zone pinning, aggregates and traits admit an instance to a host. Instances with the same demands are
 * evaluated once per host, so that a call costs one array access.
 *
 * Aggregates: metadata keys that start with `filter_tenant_id` reserve hosts for projects, `trait:NAME=required` for
 * flavors and images that require the trait, and names of image properties for images with one of the values. Extra
 * specs named `aggregate_instance_extra_specs:<key>`, and unscoped ones whose key some aggregate uses, must be met by
 * the metadata.
 *
 * No API reports huge pages, so no host is known to have free ones. NUMA nodes only count as available when a host
 * shows them in Placement.
 */
export function createAdmission(snapshot: ComputeSnapshot): Admission {
  const known = admissions.get(snapshot) ?? judgeSnapshot(snapshot);
  admissions.set(snapshot, known);
  return known;
}

function judgeSnapshot(snapshot: ComputeSnapshot): Admission {
  const isolated = snapshot.aggregates.some(hasTenantKey);
  const reserved = snapshot.aggregates.some((aggregate) => reservingTraits([aggregate]).length > 0);
  const aggregateKeys = new Set(snapshot.aggregates.flatMap((aggregate) => Object.keys(aggregate.metadata)));
  const classOf = new Int32Array(snapshot.instanceInfo.length).fill(-1);
  const classes: Demands[] = [];
  const known = new Map<string, number>();

  snapshot.instanceInfo.forEach((info, row) => {
    const demands = demandsOf(info, isolated, aggregateKeys);
    if (!reserved && asksNothing(demands)) return;
    const key = JSON.stringify(demands);
    let found = known.get(key);
    if (found === undefined) {
      found = classes.push(demands) - 1;
      known.set(key, found);
    }
    classOf[row] = found;
  });

  const responses: (Uint8Array | undefined)[] = [];
  const gates: (Gate | undefined)[] = [];
  let groups: { anywhere: number[]; ofClasses: number[][] } | undefined;

  function verdictOf(demandsRow: number, host: number): ConstraintName | null {
    responses[demandsRow] ??= new Uint8Array(snapshot.hostInfo.length);
    const row = responses[demandsRow];
    if (row[host] === 0) {
      gates[host] ??= gateOf(snapshot, host);
      row[host] = judge(classes[demandsRow] as Demands, gates[host]);
    }
    return verdicts[row[host] as number] as ConstraintName | null;
  }

  /** Rows of instances by their requested resources. */
  function groupInstances() {
    const found = { anywhere: [] as number[], ofClasses: classes.map((): number[] => []) };
    for (const [instance, demandsRow] of classOf.entries())
      (found.ofClasses[demandsRow] ?? found.anywhere).push(instance);
    return found;
  }

  return {
    refusal(instance, host) {
      const demandsRow = classOf[instance] ?? -1;
      return demandsRow < 0 ? null : verdictOf(demandsRow, host);
    },
    demandsOf: (instance) => classOf[instance] ?? -1,
    fewAdmitted(host) {
      groups ??= groupInstances();
      const most = classOf.length * fewShare;
      const { anywhere, ofClasses } = groups;
      if (anywhere.length > most) return null;
      const admitted = ofClasses.filter((_, demandsRow) => verdictOf(demandsRow, host) === null);
      const count = admitted.reduce((sum, rows) => sum + rows.length, anywhere.length);
      return count > most ? null : [anywhere, ...admitted].flat().sort((a, b) => a - b);
    },
  };
}

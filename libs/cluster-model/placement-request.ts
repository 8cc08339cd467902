import type { ComputeSnapshot, InstanceInfo } from './compute-snapshot.ts';
import { hardwareDemand, holdsUncountedResource } from './instance-demands.ts';

/** Query of Placement's `allocation_candidates`, without the tree of the destination. */
export interface PlacementRequest {
  /** Parameters by name. */
  query: Readonly<Record<string, string>>;
  /** Suffixes of the groups, each of which is limited to the destination. Empty for the group without one. */
  groups: readonly string[];
}

/** Extra specs of demands that Placement does not count, or counts in classes that no API names. */
const uncountable = /^(pci_passthrough:|accel:)/;

const grouped = /^(resources|trait)([a-zA-Z0-9_-]{0,64}):(.+)$/;
/** The model counts these, with all earlier moves. */
const counted: ReadonlySet<string> = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']);

interface Group {
  resources: string[];
  required: string[];
}

/**
 * The query of Placement whether a host has the resources of an instance that the model does not count, such as
 * virtual GPUs, custom classes and groups with numbers. Null for an instance without such resources, and for one with
 * devices of which Placement does not know.
 */
export function placementRequest(info: InstanceInfo): PlacementRequest | null {
  const isUncountable = Object.keys(info.flavorExtraSpecs).some((key) => uncountable.test(key));
  if (isUncountable || !holdsUncountedResource(info)) return null;
  if (hardwareDemand(info, 'mem_encryption') !== undefined) return null;
  const groups = [...groupsOf(info)]
    .filter(([, { resources }]) => resources.length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (groups.length === 0) return null;
  const parameters = groups.flatMap(([suffix, { resources, required }]): [string, string][] => [
    [`resources${suffix}`, resources.sort().join()],
    ...(required.length === 0 ? [] : [[`required${suffix}`, required.sort().join()] as [string, string]]),
  ]);
  const isSeveral = groups.filter(([suffix]) => suffix !== '').length > 1;
  if (isSeveral) parameters.push(['group_policy', info.flavorExtraSpecs.group_policy ?? 'none']);
  return { query: Object.fromEntries(parameters), groups: groups.map(([suffix]) => suffix) };
}

/** The groups of a flavor by their suffix. */
function groupsOf({ flavorExtraSpecs }: InstanceInfo): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [key, value] of Object.entries(flavorExtraSpecs)) {
    const [, kind, suffix = '', name = ''] = grouped.exec(key) ?? [];
    if (kind === undefined || (suffix === '' && counted.has(name))) continue;
    const group = groups.get(suffix) ?? { resources: [], required: [] };
    groups.set(suffix, group);
    if (kind === 'trait') group.required.push(value === 'forbidden' ? `!${name}` : name);
    else if (Number(value) > 0) group.resources.push(`${name}:${value}`);
  }
  return groups;
}

const virtualGpu = 'resources:VGPU';
/** First version of QEMU (8.1.0) with which Nova migrates a virtual GPU live, by the release notes of Nova 29.0.0. */
const liveGpuVersion = 8_001_000;

/**
 * The same model in which instances may move whose devices Placement counts: the caller has to query it for each
 * move. Virtual GPUs only where Nova and the hypervisor of their host move them live. The same object where there
 * are none.
 */
export function allowQueried(snapshot: ComputeSnapshot): ComputeSnapshot {
  const isQueried = (info: InstanceInfo, row: number) =>
    (info.flavorExtraSpecs[virtualGpu] === undefined || movesGpu(snapshot, row)) && placementRequest(info) !== null;
  if (!snapshot.instanceInfo.some(isQueried)) return snapshot;
  const instanceInfo = snapshot.instanceInfo.map((info, row) =>
    isQueried(info, row) ? { ...info, queried: true as const } : info,
  );
  return { ...snapshot, instanceInfo };
}

/** Nova refuses destinations with an older hypervisor than the source, so the version of the source suffices. */
function movesGpu({ movesDevices, hostInfo, instances }: ComputeSnapshot, instance: number): boolean {
  const version = hostInfo[instances.host[instance] as number]?.hypervisor?.version ?? 0;
  return movesDevices === true && version >= liveGpuVersion;
}

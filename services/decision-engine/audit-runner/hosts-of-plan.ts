import { hostEffectOf } from '#libs/actions';
import { type ComputeSnapshot, createWhatIf, hostFlag, type StorageSnapshot, type WhatIf } from '#libs/cluster-model';
import {
  type Action,
  type HostBeforeAfter,
  type HostResources,
  type HostUse,
  type PlanHosts,
  quantityChanges,
  volumeActionTypes,
} from '#libs/domain';
import type { CpuLoads } from './cpu-loads.ts';

/** Counts of migrations by row of the host. */
interface Traffic {
  into: Uint32Array;
  outOf: Uint32Array;
}

/**
 * Every host of the snapshot before and after the actions, with the accounting of feasibility checks: CPUs by kind,
 * disk of local instances only. Applies migrations and changes of compute services. An instance whose destination Nova
 * chooses, or is none of these hosts, leaves its host and is counted in `unplaced`.
 * @param cpuLoads measured loads. Default: CPU loads are not known
 */
export function hostsOfPlan(
  snapshot: ComputeSnapshot,
  actions: readonly Pick<Action, 'actionType' | 'inputParameters'>[],
  { storage, cpuLoads }: { storage?: StorageSnapshot; cpuLoads?: CpuLoads } = {},
): PlanHosts {
  const whatIf = createWhatIf(snapshot);
  const enabled = Array.from(snapshot.hosts.flags, (flags) => (flags & hostFlag.enabled) !== 0);
  const before = snapshot.hostInfo.map((_, row) => useOf(whatIf, row, enabled, cpuLoads));
  const traffic = {
    into: new Uint32Array(before.length),
    outOf: new Uint32Array(before.length),
  };
  const unplaced = { instances: 0, vcpus: 0, dedicatedCpus: 0, memory: 0, disk: 0 };
  const moved: PlanHosts['moved'] = {};
  for (const effect of actions.map(hostEffectOf)) {
    if (effect?.kind === 'service') {
      const host = whatIf.hostRow(effect.hostname);
      if (host !== undefined) enabled[host] = effect.enabled;
    }
    const instance = effect?.kind === 'move' ? whatIf.instanceRow(effect.instance) : undefined;
    if (effect?.kind !== 'move' || instance === undefined) continue;
    const size = whatIf.needs(instance);
    const host = snapshot.hostInfo[snapshot.instances.host[instance] as number]?.hostname ?? null;
    moved[effect.instance] = { ...size, host };
    moveTo(whatIf, instance, effect.to, traffic);
  }
  for (const [uuid, size] of Object.entries(moved))
    if ((whatIf.hostOf[whatIf.instanceRow(uuid) as number] as number) < 0) addTo(unplaced, size);
  const hosts = snapshot.hostInfo.map(
    ({ hostname }, row): HostBeforeAfter => ({
      hostname,
      capacity: { ...whatIf.capacity(row), dedicatedCpus: snapshot.hostInfo[row]?.dedicatedCpus?.capacity ?? 0 },
      before: before[row] as HostUse,
      after: useOf(whatIf, row, enabled, cpuLoads),
      instancesIn: traffic.into[row] as number,
      instancesOut: traffic.outOf[row] as number,
    }),
  );
  return {
    modelTakenAt: new Date(snapshot.takenAtMs).toISOString(),
    hosts: hosts.sort((a, b) => (a.hostname < b.hostname ? -1 : 1)),
    quantities: quantityChanges(hosts),
    unplaced,
    moved,
    ...volumesOf(actions, storage),
  };
}

function volumesOf(
  actions: readonly Pick<Action, 'actionType' | 'inputParameters'>[],
  storage: StorageSnapshot | undefined,
): Pick<PlanHosts, 'volumes'> {
  if (storage === undefined) return {};
  const moving = actions.filter(({ actionType }) => volumeActionTypes.includes(actionType));
  const ids = new Set(moving.map(({ inputParameters }) => inputParameters.resource_id));
  const touched = storage.volumes.filter(({ uuid }) => ids.has(uuid));
  return { volumes: Object.fromEntries(touched.map(({ uuid, sizeGb }) => [uuid, sizeGb])) };
}

/** Only the hosts that the plan changes. */
export function touchedHosts(plan: PlanHosts): PlanHosts {
  const isTouched = ({ before, after, instancesIn, instancesOut }: HostBeforeAfter) =>
    instancesIn + instancesOut > 0 || before.enabled !== after.enabled;
  return { ...plan, hosts: plan.hosts.filter(isTouched) };
}

function addTo(sum: PlanHosts['unplaced'], size: HostResources): void {
  sum.instances += 1;
  for (const resource of ['vcpus', 'dedicatedCpus', 'memory', 'disk'] as const) sum[resource] += size[resource];
}

function moveTo(whatIf: WhatIf, instance: number, hostname: string | null, { into, outOf }: Traffic): void {
  const from = whatIf.hostOf[instance] as number;
  const to = (hostname === null ? undefined : whatIf.hostRow(hostname)) ?? -1;
  if (from === to) return;
  if (from >= 0) outOf[from] = (outOf[from] as number) + 1;
  if (to >= 0) into[to] = (into[to] as number) + 1;
  whatIf.move(instance, to);
}

function useOf(whatIf: WhatIf, row: number, enabled: readonly boolean[], cpuLoads: CpuLoads | undefined): HostUse {
  const cpuLoad = cpuLoads?.ofHost(row, whatIf.instancesOn(row));
  const dedicated = whatIf.snapshot.hostInfo[row]?.dedicatedCpus?.capacity ?? 0;
  return {
    ...whatIf.used(row),
    dedicatedCpus: dedicated - whatIf.freeDedicatedCpus(row),
    instances: whatIf.instancesOn(row).length,
    enabled: enabled[row] as boolean,
    ...(cpuLoad === undefined ? {} : { cpuLoad }),
  };
}

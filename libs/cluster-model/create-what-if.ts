import type { MoveWay } from '#libs/domain';
import { createAdmission } from './admission.ts';
import type { ComputeSnapshot, InstanceInfo } from './compute-snapshot.ts';
import { hostFlag, instanceFlag } from './compute-snapshot.ts';
import { createDedicatedCpus } from './dedicated-cpus.ts';
import { createGroupRules } from './group-rules.ts';
import { createHintRules } from './hints/hint-rules.ts';
import { createHypervisorRules } from './hypervisor-rules.ts';
import { holdsUncountedResource, tpmSecret } from './instance-demands.ts';
import { createMoveWays } from './move-ways.ts';
import { createRuleEvaluator } from './placement-rules/rule-evaluator.ts';
import { portConstraints } from './port-needs.ts';
import { createRefusedDestinations } from './refused-destinations.ts';
import { createSharedDisks } from './shared-disks.ts';
import { unitRefusal } from './unit-rules.ts';
import type { ConstraintName, RefusalOptions, WhatIf } from './what-if.ts';

/** Slack against rounding when fractional ratios are multiplied. */
const tolerance = 1e-6;

const acceptingMask = hostFlag.up | hostFlag.enabled | hostFlag.forcedDown;
const accepting = hostFlag.up | hostFlag.enabled;

function usableCapacity(total: Float64Array, reserved: Float64Array, ratio: Float64Array): Float64Array {
  return Float64Array.from(total, (value, row) => (value - (reserved[row] as number)) * (ratio[row] as number));
}

/** The reason in the flags against moving an instance. `state` is the reason in its state and its host. */
function immovableReason(flags: number, state: ConstraintName | null): ConstraintName | null {
  if (flags & instanceFlag.excluded) return 'instance-excluded';
  if (flags & instanceFlag.locked) return 'instance-locked';
  if (flags & instanceFlag.busy) return 'instance-busy';
  if (state !== null) return state;
  if (flags & instanceFlag.volumeBound) return 'volume-bound';
  if (flags & instanceFlag.failedLately) return 'migration-failed';
  return flags & instanceFlag.coolingDown ? 'instance-cooling-down' : null;
}

/** The reason in a share, a port or an emulated TPM of an instance. `tpm`: owner of its secret, null without one. */
function attachmentRefusal(
  { shares, ports }: InstanceInfo,
  tpm: string | null,
  way: MoveWay | null,
): ConstraintName | null {
  if (shares !== undefined) return shares === 'attached' ? 'manila-share' : 'shares-unknown';
  if (ports !== undefined) return portConstraints[ports];
  return tpm !== null && (way !== 'live' || tpm === 'user') ? 'vtpm' : null;
}

/** A number for the cell of each host; Nova moves nothing from cell to cell. */
function numberCells({ hostInfo }: ComputeSnapshot): Uint16Array {
  const names = [...new Set(hostInfo.map(({ cell }) => cell ?? ''))];
  const numbers = new Map(names.map((name, number) => [name, number]));
  return Uint16Array.from(hostInfo, ({ cell }) => numbers.get(cell ?? '') ?? 0);
}

/**
 * A changeable view on a snapshot. Building one costs O(hosts + instances), every question and move O(1). Besides free
 * capacity a host must be at least as big as the instance (Nova's `max_unit` is the physical total).
 */
export function createWhatIf(snapshot: ComputeSnapshot): WhatIf {
  const { hosts, instances, hostInfo, instanceInfo } = snapshot;
  const hostCount = hostInfo.length;
  const hostOf = instances.host.slice();
  const vcpusUsed = hosts.vcpusUsed.slice();
  const memoryUsed = hosts.memoryUsed.slice();
  const diskUsed = hosts.diskUsed.slice();
  const vcpusCapacity = usableCapacity(hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio);
  const memoryCapacity = usableCapacity(hosts.memory, hosts.memoryReserved, hosts.memoryRatio);
  const diskCapacity = usableCapacity(hosts.disk, hosts.diskReserved, hosts.diskRatio);
  const enabled = Uint8Array.from(hosts.flags, (flags) => ((flags & acceptingMask) === accepting ? 1 : 0));
  const ways = createMoveWays(snapshot);
  const rules = createRuleEvaluator(snapshot, hostOf);
  const hints = createHintRules(snapshot);
  const tpms = instanceInfo.map(tpmSecret);
  // Refusals are checked for each instance and host: the common case is one array access.
  const movesAnywhere = Uint8Array.from(instances.flags, (_, row) => (immovable(row) === null ? 1 : 0));
  const largest = new Float64Array(3 * hostCount);
  const admission = createAdmission(snapshot);
  const groups = createGroupRules(snapshot, hostOf);
  const cpus = createDedicatedCpus(snapshot);
  const cells = numberCells(snapshot);
  const sharedDisks = createSharedDisks(snapshot);
  const hypervisors = createHypervisorRules(snapshot);
  const refusedDestination = createRefusedDestinations(snapshot);
  const uncounted = Uint8Array.from(instanceInfo, (info) => (!info.queried && holdsUncountedResource(info) ? 1 : 0));
  const residents: number[][] = Array.from({ length: hostCount }, () => []);
  const position = new Int32Array(instanceInfo.length);
  const hostRows = new Map(hostInfo.map((host, row) => [host.hostname, row]));
  // Made when it is requested: several views are made of a snapshot, and few look up uuids.
  let instanceRows: Map<string, number> | undefined;

  for (let row = 0; row < hostOf.length; row++) settle(row, hostOf[row] as number);
  for (let host = 0; host < hostCount; host++) measure(host);

  /** The most that one more instance may need of each resource of the host. */
  function measure(host: number): void {
    const { vcpus, memory, disk } = hostInfo[host]?.units ?? {};
    const most = (unit = Number.POSITIVE_INFINITY, total: Float64Array, capacity: Float64Array, used: Float64Array) =>
      Math.min(unit, total[host] as number, (capacity[host] as number) - (used[host] as number) + tolerance);
    largest[3 * host] = most(vcpus?.most, hosts.vcpus, vcpusCapacity, vcpusUsed);
    largest[3 * host + 1] = most(memory?.most, hosts.memory, memoryCapacity, memoryUsed);
    largest[3 * host + 2] = most(disk?.most, hosts.disk, diskCapacity, diskUsed);
  }

  function settle(instance: number, host: number): void {
    if (host >= 0) position[instance] = (residents[host] as number[]).push(instance) - 1;
  }

  function leave(instance: number, host: number): void {
    if (host < 0) return;
    const list = residents[host] as number[];
    const last = list.pop() as number;
    if (last === instance) return;
    const gap = position[instance] as number;
    list[gap] = last;
    position[last] = gap;
  }

  function account(instance: number, host: number, sign: 1 | -1): void {
    if (host < 0) return;
    vcpusUsed[host] = (vcpusUsed[host] as number) + sign * cpus.sharedOf(instance);
    memoryUsed[host] = (memoryUsed[host] as number) + sign * (instances.memory[instance] as number);
    diskUsed[host] = (diskUsed[host] as number) + sign * (instances.disk[instance] as number);
    measure(host);
  }

  function capacityRefusal(instance: number, host: number): ConstraintName | null {
    const vcpus = cpus.sharedOf(instance);
    if (vcpus !== 0 && vcpus > (largest[3 * host] as number)) return 'vcpu';
    if (cpus.lacksRoom(instance, host)) return 'dedicated-cpu';
    const memory = instances.memory[instance] as number;
    if (memory !== 0 && memory > (largest[3 * host + 1] as number)) return 'memory';
    const disk = instances.disk[instance] as number;
    if (disk !== 0 && disk > (largest[3 * host + 2] as number)) return 'disk';
    const units = hostInfo[host]?.units;
    return units === undefined
      ? null
      : unitRefusal(units, { vcpus, dedicatedCpus: cpus.dedicatedOf(instance), memory, disk });
  }

  function immovable(instance: number, wanted?: MoveWay, sourceDown?: boolean): ConstraintName | null {
    const way = wanted ?? ways.usual(instance);
    const state = way === null ? 'instance-state' : ways.refusal(instance, way, hostOf[instance] as number, sourceDown);
    const because = immovableReason(instances.flags[instance] as number, state);
    if (because !== null) return because;
    // An evacuation proceeds with unknown groups: Nova enforces them.
    if (snapshot.groupsUnknown && way !== 'evacuate') return 'server-groups-unknown';
    const attachment = attachmentRefusal(instanceInfo[instance] as InstanceInfo, tpms[instance] ?? null, way);
    if (attachment !== null) return attachment;
    return hints.immovable(instance) ?? (rules.leavesAlone(instance) ? 'rule-leave-alone' : null);
  }

  function hostRefusal(host: number, allowDisabled: boolean): ConstraintName | null {
    const flags = hosts.flags[host] as number;
    if (!(flags & hostFlag.up) || flags & hostFlag.forcedDown) return 'host-down';
    if (flags & hostFlag.unmeasured) return 'coverage';
    return enabled[host] === 0 && !allowDisabled ? 'host-disabled' : null;
  }

  function refusal(instance: number, host: number, options?: RefusalOptions): ConstraintName | null {
    const from = hostOf[instance] as number;
    const { way, sourceDown } = options ?? {};
    const held = way === undefined ? movesAnywhere[instance] === 0 : immovable(instance, way, sourceDown) !== null;
    if (held || from < 0) return immovable(instance, way, sourceDown);
    if (from === host) return 'same-host';
    if (uncounted[instance] === 1) return 'uncounted-resource';
    if (cells[from] !== cells[host]) return 'cell';
    return (
      hypervisors(from, host, way ?? ways.usual(instance) ?? 'live') ??
      hostRefusal(host, options?.allowDisabled ?? false) ??
      refusedDestination(instance, host) ??
      capacityRefusal(instance, host) ??
      sharedDisks(instance, from, host) ??
      groups.refusal(instance, host) ??
      hints.refusal(instance, host, way) ??
      rules.refusal(instance, host) ??
      admission.refusal(instance, host)
    );
  }

  return {
    snapshot,
    hostOf,
    enabled,
    instancesOn: (host) => residents[host] ?? [],
    capacity: (host) => ({
      vcpus: vcpusCapacity[host] ?? 0,
      memory: memoryCapacity[host] ?? 0,
      disk: diskCapacity[host] ?? 0,
    }),
    used: (host) => ({ vcpus: vcpusUsed[host] ?? 0, memory: memoryUsed[host] ?? 0, disk: diskUsed[host] ?? 0 }),
    free: (host) => ({
      vcpus: (vcpusCapacity[host] ?? 0) - (vcpusUsed[host] ?? 0),
      memory: (memoryCapacity[host] ?? 0) - (memoryUsed[host] ?? 0),
      disk: (diskCapacity[host] ?? 0) - (diskUsed[host] ?? 0),
    }),
    freeDedicatedCpus: cpus.freeOn,
    needs: (instance) => ({
      vcpus: cpus.sharedOf(instance),
      dedicatedCpus: cpus.dedicatedOf(instance),
      memory: instances.memory[instance] as number,
      disk: instances.disk[instance] as number,
    }),
    usualWay: ways.usual,
    immovable,
    refusal,
    bootRefusal: (instance, host) =>
      hostRefusal(host, false) ??
      capacityRefusal(instance, host) ??
      groups.refusal(instance, host) ??
      hints.refusal(instance, host) ??
      admission.refusal(instance, host) ??
      (uncounted[instance] === 1 ? 'uncounted-resource' : null),
    refusalAfter(instance, host, leaving) {
      if (leaving === instance || hostOf[leaving] !== host) return refusal(instance, host);
      account(leaving, host, -1);
      groups.moved(leaving, host, -1);
      // Both are on one host for a while: of a swap the other half comes where this one is.
      rules.moved(leaving, host, hostOf[instance] as number);
      hints.moved(leaving, hostOf[instance] as number);
      cpus.moved(leaving, host, -1);
      const because = refusal(instance, host);
      account(leaving, host, 1);
      groups.moved(leaving, -1, host);
      rules.moved(leaving, hostOf[instance] as number, host);
      hints.moved(leaving, host);
      cpus.moved(leaving, -1, host);
      return because;
    },
    fewAdmitted: admission.fewAdmitted,
    softCost: (instance, host) => groups.softCost(instance, host) + rules.softCost(instance, host),
    move(instance, host) {
      const from = hostOf[instance] as number;
      if (from === host) return;
      leave(instance, from);
      account(instance, from, -1);
      settle(instance, host);
      account(instance, host, 1);
      groups.moved(instance, from, host);
      rules.moved(instance, from, host);
      hints.moved(instance, host);
      cpus.moved(instance, from, host);
      hostOf[instance] = host;
    },
    setEnabled(host, value) {
      enabled[host] = value ? 1 : 0;
    },
    hostRow: (hostname) => hostRows.get(hostname),
    instanceRow(uuid) {
      instanceRows ??= new Map(instanceInfo.map((instance, row) => [instance.uuid, row]));
      return instanceRows.get(uuid);
    },
  };
}

import { createAdmission } from './admission.ts';
import type { ComputeSnapshot } from './compute-snapshot.ts';
import { hostFlag } from './compute-snapshot.ts';
import { createGroupRules } from './group-rules.ts';
import { createHintRules } from './hints/hint-rules.ts';
import { createHostRoom } from './host-room.ts';
import { createHypervisorRules } from './hypervisor-rules.ts';
import { createImmovableRules } from './immovable-rules.ts';
import { holdsUncountedResource } from './instance-demands.ts';
import { createMoveWays } from './move-ways.ts';
import { createRuleEvaluator } from './placement-rules/rule-evaluator.ts';
import { createRefusedDestinations } from './refused-destinations.ts';
import { createResidents } from './residents.ts';
import { createSharedDisks } from './shared-disks.ts';
import type { ConstraintName, RefusalOptions, WhatIf } from './what-if.ts';

const acceptingMask = hostFlag.up | hostFlag.enabled | hostFlag.forcedDown;
const accepting = hostFlag.up | hostFlag.enabled;

/** A number for the cell of each host; Nova moves nothing from cell to cell. */
function numberCells({ hostInfo }: ComputeSnapshot): Uint16Array {
  const names = [...new Set(hostInfo.map(({ cell }) => cell ?? ''))];
  const numbers = new Map(names.map((name, number) => [name, number]));
  return Uint16Array.from(hostInfo, ({ cell }) => numbers.get(cell ?? '') ?? 0);
}

/**
 * The reason why a host accepts no instance at all, or null.
 * @param enabled whether each host accepts instances, read at each call
 */
function createHostRules({ hosts }: ComputeSnapshot, enabled: Uint8Array) {
  return (host: number, allowDisabled = false): ConstraintName | null => {
    const flags = hosts.flags[host] as number;
    if (!(flags & hostFlag.up) || flags & hostFlag.forcedDown) return 'host-down';
    if (flags & hostFlag.unmeasured) return 'coverage';
    return enabled[host] === 0 && !allowDisabled ? 'host-disabled' : null;
  };
}

/** Rows by the names of hosts and the uuids of instances. */
function createRowIndex({ hostInfo, instanceInfo }: ComputeSnapshot): Pick<WhatIf, 'hostRow' | 'instanceRow'> {
  const hostRows = new Map(hostInfo.map((host, row) => [host.hostname, row]));
  // Created on demand: a snapshot has several views, and few need lookups by uuid.
  let instanceRows: Map<string, number> | undefined;
  return {
    hostRow: (hostname) => hostRows.get(hostname),
    instanceRow(uuid) {
      instanceRows ??= new Map(instanceInfo.map((instance, row) => [instance.uuid, row]));
      return instanceRows.get(uuid);
    },
  };
}

/** A changeable view on a snapshot. Building one costs O(hosts + instances), every check and move O(1). */
export function createWhatIf(snapshot: ComputeSnapshot): WhatIf {
  const { hosts, instances, hostInfo, instanceInfo } = snapshot;
  const hostOf = instances.host.slice();
  const enabled = Uint8Array.from(hosts.flags, (flags) => ((flags & acceptingMask) === accepting ? 1 : 0));
  const hostRefusal = createHostRules(snapshot, enabled);
  const ways = createMoveWays(snapshot);
  const rules = createRuleEvaluator(snapshot, hostOf);
  const hints = createHintRules(snapshot);
  const immovable = createImmovableRules(snapshot, { hostOf, ways, hints, rules });
  // Refusals are checked for each instance and host: the common case is one array access.
  const movesAnywhere = Uint8Array.from(instances.flags, (_, row) => (immovable(row) === null ? 1 : 0));
  const admission = createAdmission(snapshot);
  const groups = createGroupRules(snapshot, hostOf);
  const room = createHostRoom(snapshot);
  const residents = createResidents(hostOf, hostInfo.length);
  const cells = numberCells(snapshot);
  const sharedDisks = createSharedDisks(snapshot);
  const hypervisors = createHypervisorRules(snapshot);
  const refusedDestination = createRefusedDestinations(snapshot);
  const uncounted = Uint8Array.from(instanceInfo, (info) => (!info.queried && holdsUncountedResource(info) ? 1 : 0));

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
      hostRefusal(host, options?.allowDisabled) ??
      refusedDestination(instance, host) ??
      room.refusal(instance, host) ??
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
    instancesOn: residents.on,
    capacity: room.capacity,
    used: room.used,
    free: room.free,
    freeDedicatedCpus: room.freeDedicatedCpus,
    needs: room.needs,
    usualWay: ways.usual,
    immovable,
    refusal,
    bootRefusal: (instance, host) =>
      hostRefusal(host) ??
      room.refusal(instance, host) ??
      groups.refusal(instance, host) ??
      hints.refusal(instance, host) ??
      admission.refusal(instance, host) ??
      (uncounted[instance] === 1 ? 'uncounted-resource' : null),
    refusalAfter(instance, host, leaving) {
      if (leaving === instance || hostOf[leaving] !== host) return refusal(instance, host);
      room.moved(leaving, host, -1);
      groups.moved(leaving, host, -1);
      // Both are temporarily on one host: the second half of a swap arrives while the first is still there.
      rules.moved(leaving, host, hostOf[instance] as number);
      hints.moved(leaving, hostOf[instance] as number);
      const because = refusal(instance, host);
      room.moved(leaving, -1, host);
      groups.moved(leaving, -1, host);
      rules.moved(leaving, hostOf[instance] as number, host);
      hints.moved(leaving, host);
      return because;
    },
    fewAdmitted: admission.fewAdmitted,
    softCost: (instance, host) => groups.softCost(instance, host) + rules.softCost(instance, host),
    move(instance, host) {
      const from = hostOf[instance] as number;
      if (from === host) return;
      residents.moved(instance, from, host);
      room.moved(instance, from, host);
      groups.moved(instance, from, host);
      rules.moved(instance, from, host);
      hints.moved(instance, host);
      hostOf[instance] = host;
    },
    setEnabled(host, value) {
      enabled[host] = value ? 1 : 0;
    },
    ...createRowIndex(snapshot),
  };
}

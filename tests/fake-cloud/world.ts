import type { ServerCondition } from '#libs/domain';
import type { ComputeService, FlavorDetails, Hypervisor, Server } from '#libs/openstack';

export interface FakeHost {
  name: string;
  status: 'enabled' | 'disabled';
  reason: string | null;
  zone: string;
  state: 'up' | 'down';
  forcedDown: boolean;
  vcpus: number;
}

export interface FakeServer {
  uuid: string;
  host: string;
  status: string;
  taskState: string | null;
  fault: string | null;
  locked: boolean;
  /** Name of its flavor. */
  flavor: string;
  /** Default: the power state of its status. */
  powerState?: number;
  /** Ids of attached shares. Default none. */
  shares?: string[];
}

/** Flavors that every fake cloud has, by id. */
export const fakeFlavors: readonly FlavorDetails[] = [fakeFlavor('1', 'small', 1), fakeFlavor('2', 'large', 4)];

function fakeFlavor(id: string, name: string, vcpus: number): FlavorDetails {
  const ramMb = vcpus * 512;
  return { id, name, vcpus, ramMb, diskGb: vcpus, ephemeralGb: 0, swapMb: 0, extraSpecs: {} };
}

export function fakeHypervisor(host: FakeHost): Hypervisor {
  return {
    uuid: `hypervisor-${host.name}`,
    hypervisorHostname: host.name,
    serviceHost: host.name,
    serviceId: `service-${host.name}`,
    status: host.status,
    state: isUp(host) ? 'up' : 'down',
    disabledReason: host.reason,
    hypervisorType: 'QEMU',
    vcpus: host.vcpus,
    memoryMb: 16_384,
    localDiskGb: 100,
  };
}

export function fakeService(host: FakeHost): ComputeService {
  return {
    id: `service-${host.name}`,
    host: host.name,
    binary: 'nova-compute',
    zone: host.zone,
    status: host.status,
    state: isUp(host) ? 'up' : 'down',
    forcedDown: host.forcedDown,
    disabledReason: host.reason,
  };
}

/** Whether Nova shows the service of the host as up. */
export function isUp({ state, forcedDown }: FakeHost): boolean {
  return state === 'up' && !forcedDown;
}

const vmStates: Readonly<Record<string, string>> = {
  VERIFY_RESIZE: 'resized',
  SHUTOFF: 'stopped',
  MIGRATING: 'active',
};
const powerStates: Readonly<Record<string, number>> = { SHUTOFF: 4, PAUSED: 3 };

/** Properties that decide how Nova moves the server. */
export function conditionOf({ status, taskState, powerState }: FakeServer): ServerCondition {
  return {
    vmState: vmStates[status] ?? status.toLowerCase(),
    taskState,
    powerState: powerState ?? powerStates[status] ?? 1,
  };
}

export function fakeServer(server: FakeServer): Server {
  const { uuid, host, status, fault, locked } = server;
  const flavor = fakeFlavors.find((one) => one.name === server.flavor) ?? fakeFlavor('0', server.flavor, 1);
  return {
    uuid,
    name: uuid,
    status,
    ...conditionOf(server),
    host,
    hypervisorHostname: host,
    availabilityZone: 'nova',
    pinnedAvailabilityZone: null,
    projectId: 'project',
    locked,
    metadata: {},
    bootedFromVolume: false,
    flavor: { ...flavor, id: null },
    attachedVolumeIds: [],
    serverGroupIds: [],
    fault,
    created: '2026-01-01T00:00:00Z',
  };
}

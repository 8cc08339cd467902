import type { ComputeService, Hypervisor, Server } from '#libs/openstack';

export interface FakeHost {
  name: string;
  status: 'enabled' | 'disabled';
  reason: string | null;
}

export interface FakeServer {
  uuid: string;
  host: string;
  status: string;
  taskState: string | null;
  fault: string | null;
}

export function fakeHypervisor(host: FakeHost): Hypervisor {
  return {
    uuid: `hypervisor-${host.name}`,
    hypervisorHostname: host.name,
    serviceHost: host.name,
    serviceId: `service-${host.name}`,
    status: host.status,
    state: 'up',
    disabledReason: host.reason,
    hypervisorType: 'QEMU',
    vcpus: 8,
    memoryMb: 16_384,
    localDiskGb: 100,
  };
}

export function fakeService(host: FakeHost): ComputeService {
  return {
    id: `service-${host.name}`,
    host: host.name,
    binary: 'nova-compute',
    zone: 'nova',
    status: host.status,
    state: 'up',
    forcedDown: false,
    disabledReason: host.reason,
  };
}

export function fakeServer(server: FakeServer): Server {
  const { uuid, host, status, taskState, fault } = server;
  return {
    uuid,
    name: uuid,
    status,
    vmState: status === 'VERIFY_RESIZE' ? 'resized' : status.toLowerCase(),
    taskState,
    powerState: 1,
    host,
    hypervisorHostname: host,
    availabilityZone: 'nova',
    pinnedAvailabilityZone: null,
    projectId: 'project',
    locked: false,
    metadata: {},
    bootedFromVolume: false,
    flavor: { id: '1', name: 'small', vcpus: 1, ramMb: 512, diskGb: 1, ephemeralGb: 0, swapMb: 0, extraSpecs: {} },
    attachedVolumeIds: [],
    serverGroupIds: [],
    fault,
    created: '2026-01-01T00:00:00Z',
  };
}

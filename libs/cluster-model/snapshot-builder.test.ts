import { describe, expect, it } from 'vitest';
import type { FlavorDetails, Hypervisor, Inventory, Server } from '#libs/openstack';
import { hostFlag, instanceFlag, instanceStates } from './compute-snapshot.ts';
import { buildComputeSnapshot, type ComputeModelInput } from './snapshot-builder.ts';

const flavor: FlavorDetails = {
  id: null,
  name: 'm1',
  vcpus: 2,
  ramMb: 2048,
  diskGb: 40,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs: {},
};

function hypervisor(name: string, changes: Partial<Hypervisor> = {}): Hypervisor {
  return {
    uuid: `uuid-${name}`,
    hypervisorHostname: `${name}.example`,
    serviceHost: name,
    serviceId: '1',
    status: 'enabled',
    state: 'up',
    disabledReason: null,
    hypervisorType: 'QEMU',
    vcpus: 8,
    memoryMb: 16_384,
    localDiskGb: 100,
    ...changes,
  };
}

function server(name: string, changes: Partial<Server> = {}): Server {
  return {
    uuid: name,
    name,
    status: 'ACTIVE',
    vmState: 'active',
    taskState: null,
    powerState: 1,
    host: 'a',
    hypervisorHostname: 'a.example',
    availabilityZone: 'nova',
    pinnedAvailabilityZone: null,
    projectId: 'p',
    locked: false,
    metadata: {},
    bootedFromVolume: false,
    flavor,
    attachedVolumeIds: [],
    serverGroupIds: [],
    fault: null,
    created: '2026-01-01T00:00:00Z',
    ...changes,
  };
}

function inventory(total: number, reserved: number, allocationRatio: number): Inventory {
  return { total, reserved, allocationRatio, minUnit: 1, maxUnit: total, stepSize: 1 };
}

const inventories = {
  VCPU: inventory(16, 1, 4),
  MEMORY_MB: inventory(32_768, 512, 1.5),
  DISK_GB: inventory(500, 10, 1),
};

function build(changes: Partial<ComputeModelInput> = {}) {
  return buildComputeSnapshot({
    hypervisors: [hypervisor('b'), hypervisor('a')],
    services: ['a', 'b'].map((host) => ({
      id: host,
      host,
      binary: 'nova-compute',
      zone: `zone-${host}`,
      status: 'enabled',
      state: 'up',
      forcedDown: false,
      disabledReason: null,
    })),
    servers: [server('s2', { host: 'b', hypervisorHostname: 'b.example' }), server('s1')],
    aggregates: [{ id: 7, uuid: 'u', name: 'prod', availabilityZone: null, hosts: ['b'], metadata: { k: 'v' } }],
    serverGroups: [{ uuid: 'g', name: 'g', policy: 'anti-affinity', members: ['s1'], maxServerPerHost: 1 }],
    inventories: new Map(['uuid-a', 'uuid-b'].map((uuid) => [uuid, inventories])),
    allocations: new Map(
      ['uuid-a', 'uuid-b'].map((uuid) => [
        uuid,
        new Map<string, Record<string, number>>([
          ['s1', { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 40 }],
          ['migration in flight', { VCPU: 4, MEMORY_MB: 4096 }],
        ]),
      ]),
    ),
    traits: new Map([['uuid-a', ['SSD']]]),
    takenAtMs: 123,
    ...changes,
  });
}

describe('snapshot builder', () => {
  it.each([
    ['that is told', 'east', 'east'],
    ['that is none', null, ''],
    // Before Nova 2.96 nothing is reported: the instance stays.
    ['that is not told', undefined, 'nova'],
  ])('holds an instance in the zone %s', (_, pinnedAvailabilityZone, expected) => {
    const { pinnedAvailabilityZone: _pin, ...rest } = server('s1');
    const given = pinnedAvailabilityZone === undefined ? rest : { ...rest, pinnedAvailabilityZone };
    expect(build({ servers: [given] }).instanceInfo[0]?.pinnedZone).toBe(expected);
  });

  it('keeps the hardware of hosts, and CPU models only where they matter', () => {
    const cpu = { architecture: 'x86_64', model: 'EPYC' };
    const hypervisors = [hypervisor('a', { hypervisorVersion: 7, cpu }), hypervisor('b', { hypervisorType: '' })];
    const made = (mixedCpuModels: boolean) =>
      build({ hypervisors, mixedCpuModels }).hostInfo.map((host) => host.hypervisor);
    const known = { type: 'QEMU', version: 7, architecture: 'x86_64' };
    expect(made(false)).toEqual([{ ...known, cpuModel: 'EPYC' }, undefined]);
    expect(made(true)).toEqual([known, undefined]);
  });

  it('keeps the properties of images that limit hosts, and the known cells', () => {
    const imageProperties = { hw_cpu_policy: 'dedicated', k: 'v', os_distro: 'debian', hw_disk_bus: 'virtio' };
    const { instanceInfo, hostInfo, hosts } = build({
      servers: [server('s1', { imageProperties }), server('s2', { imageProperties: { os_distro: 'debian' } })],
      cellOf: (host) => (host === 'a' ? 'north' : null),
      allocations: new Map(),
    });
    expect(instanceInfo.map((info) => info.imageProperties)).toEqual([
      { hw_cpu_policy: 'dedicated', k: 'v' },
      undefined,
    ]);
    // The properties that show the licence do not restrict the hosts.
    expect(instanceInfo.map((info) => info.imageSystem)).toEqual([{ os_distro: 'debian' }, { os_distro: 'debian' }]);
    expect(hostInfo.map(({ cell }) => cell)).toEqual(['north', undefined]);
    // Without Placement's word the sum of flavors counts, of the one instance without dedicated CPUs.
    expect(hosts.vcpusUsed[0]).toBe(server('s2').flavor.vcpus);
  });

  it('shares the facts of an image and a flavor among their instances', () => {
    const changes = {
      imageProperties: { hw_cpu_policy: 'dedicated', os_distro: 'debian' },
      flavor: { ...flavor, extraSpecs: { 'capabilities:hypervisor_type': 'QEMU' } },
    };
    const [one, two] = build({ servers: [server('s1', changes), server('s2', changes)] }).instanceInfo;
    expect(two?.imageProperties).toBe(one?.imageProperties);
    expect(two?.imageSystem).toBe(one?.imageSystem);
    expect(two?.capabilities).toBe(one?.capabilities);
    expect(one).toMatchObject({
      imageProperties: { hw_cpu_policy: 'dedicated' },
      imageSystem: { os_distro: 'debian' },
      capabilities: { hypervisor_type: 'QEMU' },
    });
  });

  it('takes capacities and allocations from Placement, rows in order of name', () => {
    const snapshot = build();
    const hypervisor = { type: 'QEMU' };
    expect(snapshot.hostInfo).toEqual([
      { uuid: 'uuid-a', hostname: 'a', disabledReason: null, aggregates: [], traits: ['SSD'], hypervisor },
      { uuid: 'uuid-b', hostname: 'b', disabledReason: null, aggregates: [0], traits: [], hypervisor },
    ]);
    const { hosts } = snapshot;
    expect([hosts.vcpus[0], hosts.vcpusReserved[0], hosts.vcpusRatio[0]]).toEqual([16, 1, 4]);
    expect([hosts.memory[0], hosts.memoryReserved[0], hosts.memoryRatio[0]]).toEqual([32_768, 512, 1.5]);
    expect([hosts.disk[0], hosts.diskReserved[0], hosts.diskRatio[0]]).toEqual([500, 10, 1]);
    expect([hosts.vcpusUsed[0], hosts.memoryUsed[0], hosts.diskUsed[0]]).toEqual([6, 6144, 40]);
    expect([...hosts.zone].map((zone) => snapshot.zones[zone])).toEqual(['zone-a', 'zone-b']);
    expect([snapshot.complete, snapshot.gaps, snapshot.takenAtMs]).toEqual([true, [], 123]);
    expect(hosts.vcpus.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('counts residents that have no allocation, but for those that move', () => {
    const on = { host: 'b', hypervisorHostname: 'b.example' };
    const servers = [server('lost', on), server('moving', { ...on, taskState: 'migrating' })];
    const none = build({ servers: [] }).hosts;
    const { hosts } = build({ servers });
    const { flavor } = server('lost');
    expect((hosts.vcpusUsed[1] as number) - (none.vcpusUsed[1] as number)).toBe(flavor.vcpus);
    expect((hosts.memoryUsed[1] as number) - (none.memoryUsed[1] as number)).toBe(flavor.ramMb);
    expect(hosts.vcpusUsed[0]).toBe(none.vcpusUsed[0]);
  });

  it('counts usage without an allocation on shared storage, except for moving instances', () => {
    const { DISK_GB: _, ...own } = inventories;
    const { sharedDisks, instanceInfo } = build({
      servers: [server('held'), server('lost'), server('moving', { taskState: 'migrating' })],
      inventories: new Map<string, Record<string, Inventory>>([
        ['uuid-a', own],
        ['uuid-b', own],
        ['nfs', { DISK_GB: inventory(500, 0, 1) }],
      ]),
      allocations: new Map([['nfs', new Map([['held', { DISK_GB: 40 }]])]]),
      sharedDisks: new Map(['uuid-a', 'uuid-b'].map((uuid) => [uuid, 'nfs'])),
    });
    expect(instanceInfo.map(({ sharedDiskGb }) => sharedDiskGb)).toEqual([40, 40, 40]);
    expect(sharedDisks?.map(({ free }) => free)).toEqual([420]);
  });

  it('falls back to hypervisor totals and flavor sums, and says so', () => {
    const snapshot = build({ inventories: new Map([['uuid-b', inventories]]), allocations: new Map() });
    const { hosts } = snapshot;
    expect([hosts.vcpus[0], hosts.vcpusRatio[0], hosts.memory[0], hosts.disk[0]]).toEqual([8, 1, 16_384, 100]);
    expect([hosts.vcpusUsed[0], hosts.memoryUsed[0], hosts.diskUsed[0]]).toEqual([2, 2048, 40]);
    expect(snapshot.complete).toBe(false);
    expect(snapshot.gaps).toEqual([
      'no inventories from Placement, hypervisor totals with ratio 1 are used: a',
      'no allocations from Placement, sums of flavors are used: a, b',
    ]);
  });

  it('keeps the order of instances, their groups and hosts', () => {
    const snapshot = build();
    expect(snapshot.instanceInfo.map(({ uuid }) => uuid)).toEqual(['s1', 's2']);
    expect([...snapshot.instances.host]).toEqual([0, 1]);
    expect([...snapshot.instances.group]).toEqual([0, -1]);
  });

  it.each<[string, Partial<Server>, number]>([
    ['the root disk', {}, 40],
    ['root and ephemeral disk', { flavor: { ...flavor, diskGb: 20, ephemeralGb: 50 } }, 70],
    ['swap, rounded up', { flavor: { ...flavor, diskGb: 10, swapMb: 512 } }, 11],
    ['nothing when booted from a volume', { bootedFromVolume: true }, 0],
    [
      'ephemeral disk and swap of a volume',
      { bootedFromVolume: true, flavor: { ...flavor, ephemeralGb: 5, swapMb: 1025 } },
      7,
    ],
  ])('counts %s', (_, changes, expected) => {
    expect([...build({ servers: [server('s1', changes)] }).instances.disk]).toEqual([expected]);
  });

  it('notes states and flags of instances', () => {
    const servers = [
      server('s1', { locked: true, taskState: 'migrating', bootedFromVolume: true }),
      server('s2', { vmState: 'stopped', host: null }),
      server('s3', { vmState: 'deleted' }),
      server('s4', { vmState: 'something new', host: 'elsewhere' }),
    ];
    const { instances, instanceInfo } = build({ servers });
    expect(instanceInfo.map(({ uuid }) => uuid)).toEqual(['s1', 's2', 's4']);
    expect([...instances.flags]).toEqual([
      instanceFlag.locked | instanceFlag.busy | instanceFlag.bootedFromVolume,
      0,
      0,
    ]);
    expect([...instances.state].map((state) => instanceStates[state])).toEqual(['active', 'stopped', 'error']);
    expect([...instances.host]).toEqual([0, -1, -1]);
  });

  it('notes states of hosts and leaves Ironic nodes out', () => {
    const base = build();
    const service = { id: '1', binary: 'nova-compute', zone: 'z', state: 'up' as const, forcedDown: false };
    const { hosts, hostInfo } = build({
      hypervisors: [hypervisor('a'), hypervisor('b'), hypervisor('c'), hypervisor('i', { hypervisorType: 'ironic' })],
      services: [
        { ...service, host: 'a', status: 'disabled', disabledReason: 'broken fan' },
        { ...service, host: 'b', status: 'enabled', disabledReason: null, forcedDown: true },
        { ...service, host: 'c', status: 'enabled', disabledReason: null, state: 'down' },
      ],
    });
    expect(hostInfo.map(({ hostname, disabledReason }) => [hostname, disabledReason])).toEqual([
      ['a', 'broken fan'],
      ['b', null],
      ['c', null],
    ]);
    expect([...hosts.flags]).toEqual([
      hostFlag.up,
      hostFlag.up | hostFlag.enabled | hostFlag.forcedDown,
      hostFlag.enabled,
    ]);
    expect([...base.hosts.flags]).toEqual([hostFlag.up | hostFlag.enabled, hostFlag.up | hostFlag.enabled]);
  });
});

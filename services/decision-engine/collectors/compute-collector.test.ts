import { describe, expect, it } from 'vitest';
import { instanceFlag } from '#libs/cluster-model';
import { OperatorError } from '#libs/domain';
import type { Cloud, ComputeService, Hypervisor, Inventory, Server } from '#libs/openstack';
import { hostsByCell, parseCells } from './cells.ts';
import { collectComputeModel } from './compute-collector.ts';

const clock = { now: () => 1_700_000_000_000 };

function inventory(total: number, allocationRatio: number): Inventory {
  return { total, reserved: 0, allocationRatio, minUnit: 1, maxUnit: total, stepSize: 1 };
}

function hypervisor(name: string): Hypervisor {
  return {
    uuid: `uuid-${name}`,
    hypervisorHostname: name,
    serviceHost: name,
    serviceId: `service-${name}`,
    status: 'enabled',
    state: 'up',
    disabledReason: null,
    hypervisorType: 'QEMU',
    vcpus: 8,
    memoryMb: 16_384,
    localDiskGb: 100,
  };
}

function server(uuid: string, host: string, extraSpecs: Record<string, string> = {}): Server {
  return {
    uuid,
    name: uuid,
    status: 'ACTIVE',
    vmState: 'active',
    taskState: null,
    powerState: 1,
    host,
    hypervisorHostname: host,
    availabilityZone: 'nova',
    pinnedAvailabilityZone: null,
    projectId: 'p',
    locked: false,
    metadata: {},
    bootedFromVolume: false,
    flavor: { id: null, name: 'm', vcpus: 2, ramMb: 2048, diskGb: 20, ephemeralGb: 0, swapMb: 0, extraSpecs },
    attachedVolumeIds: [],
    serverGroupIds: [],
    fault: null,
    created: '2026-01-01T00:00:00Z',
  };
}

interface Fakes {
  hypervisors?: Hypervisor[];
  servers?: Server[];
  inventories?: (uuid: string) => Promise<Record<string, Inventory> | null>;
  services?: ComputeService[];
  servicesFail?: boolean;
  groupsFail?: boolean;
  serversFail?: boolean;
}

/** A cloud in memory with only the listings of the collector. `calls` counts requests to Placement. */
function fakeCloud(fakes: Fakes) {
  const calls = { inventories: 0, traits: 0, concurrency: 0, most: 0 };
  async function counted<T>(response: () => Promise<T>): Promise<T> {
    calls.most = Math.max(calls.most, ++calls.concurrency);
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return await response();
    } finally {
      calls.concurrency--;
    }
  }
  const cloud = {
    compute: {
      listHypervisors: async () => fakes.hypervisors ?? [hypervisor('a'), hypervisor('b')],
      listServers: async () => {
        if (fakes.serversFail) throw new Error('Nova is down');
        return fakes.servers ?? [server('s1', 'a')];
      },
      listServices: async () => {
        if (fakes.servicesFail) throw new Error('no services today');
        return fakes.services ?? [];
      },
      listAggregates: async () => [],
      listServerGroups: async () => {
        if (fakes.groupsFail) throw new Error('no groups today');
        return [];
      },
    },
    placement: {
      listSharingProviders: async () => [],
      getInventories: (uuid: string) => {
        calls.inventories++;
        return counted(() => fakes.inventories?.(uuid) ?? Promise.resolve({ VCPU: inventory(8, 4) }));
      },
      getAllocations: () => counted(async () => new Map([['s1', { VCPU: 3 }]])),
      getTraits: () => {
        calls.traits++;
        return counted(async () => ['HW_CPU_X86_AVX2']);
      },
    },
  } as unknown as Cloud;
  return { cloud, calls };
}

describe('compute collector', () => {
  it('builds a complete snapshot', async () => {
    const { cloud, calls } = fakeCloud({});
    const snapshot = await collectComputeModel(cloud, { clock });
    expect(snapshot).toMatchObject({ complete: true, gaps: [], takenAtMs: clock.now() });
    expect(snapshot.hostInfo.map(({ hostname }) => hostname)).toEqual(['a', 'b']);
    expect([...snapshot.hosts.vcpusRatio]).toEqual([4, 4]);
    expect([...snapshot.hosts.vcpusUsed]).toEqual([3, 3]);
    expect(calls.traits).toBe(0);
  });

  it('reads traits only when a flavor requires one', async () => {
    const { cloud } = fakeCloud({ servers: [server('s1', 'a', { 'trait:HW_CPU_X86_AVX2': 'required' })] });
    const snapshot = await collectComputeModel(cloud, { clock });
    expect(snapshot.hostInfo[0]?.traits).toEqual(['HW_CPU_X86_AVX2']);
  });

  it('finds the storage that hosts without local disks share, and queries it only there', async () => {
    const { cloud } = fakeCloud({
      inventories: async (uuid): Promise<Record<string, Inventory>> =>
        uuid === 'nfs' ? { DISK_GB: inventory(100, 1) } : { VCPU: inventory(8, 4) },
    });
    const members = ['uuid-a', 'uuid-b', 'nfs'];
    const placement = {
      ...cloud.placement,
      listSharingProviders: async () => [{ uuid: 'nfs', members }],
      getAllocations: async (uuid: string) =>
        new Map<string, Record<string, number>>([['s1', uuid === 'nfs' ? { DISK_GB: 20 } : { VCPU: 3 }]]),
    };
    const shared = await collectComputeModel({ ...cloud, placement }, { clock });
    expect(shared.sharedDisks).toEqual([{ uuid: 'nfs', free: 80, largest: 100 }]);
    expect(shared.hostInfo.map(({ sharedDisk }) => sharedDisk)).toEqual([0, 0]);
    expect([shared.instances.disk[0], shared.instanceInfo[0]?.sharedDiskGb]).toEqual([0, 20]);
    const own = {
      ...placement,
      getInventories: async () => ({ DISK_GB: inventory(9, 1) }),
      listSharingProviders: () => Promise.reject(new Error('not to be asked')),
    };
    const apart = await collectComputeModel({ ...cloud, placement: own }, { clock });
    expect(apart).toMatchObject({ complete: true, gaps: [] });
    expect(apart.sharedDisks).toBeUndefined();
  });

  it('marks servers with volumes in pools that one host reaches, and reads volumes only for them', async () => {
    const attached = { ...server('s1', 'a'), attachedVolumeIds: ['v1'] };
    const { cloud } = fakeCloud({ servers: [attached] });
    const flagsOf = async (volumeHost: string) => {
      const volume = { listVolumes: async () => [{ uuid: 'v1', host: volumeHost }] };
      const given = { ...cloud, volume } as unknown as Cloud;
      const { instances } = await collectComputeModel(given, { clock, hostBoundPools: ['*@local#*'] });
      return instances.flags[0];
    };
    expect(await flagsOf('a@local#lvm')).toBe(instanceFlag.volumeBound);
    expect(await flagsOf('a@ceph#local')).toBe(0);
    expect((await collectComputeModel(cloud, { clock })).instances.flags[0]).toBe(0);
  });

  it('sends Placement a limited number of parallel requests', async () => {
    const { cloud, calls } = fakeCloud({ hypervisors: Array.from({ length: 40 }, (_, i) => hypervisor(`h${i}`)) });
    await collectComputeModel(cloud, { clock, concurrency: 5 });
    expect(calls.most).toBe(5);
  });

  it('continues when one host cannot be read, and reports it', async () => {
    const { cloud } = fakeCloud({
      inventories: async (uuid) => {
        if (uuid === 'uuid-b') throw new Error('boom');
        return { VCPU: inventory(8, 4) };
      },
    });
    const snapshot = await collectComputeModel(cloud, { clock });
    expect(snapshot.complete).toBe(false);
    expect(snapshot.gaps.join('\n')).toMatch(/Placement could not be read completely: boom/);
    expect(snapshot.gaps.join('\n')).toMatch(/no inventories from Placement.*: b$/m);
    expect([...snapshot.hosts.vcpusRatio]).toEqual([4, 1]);
  });

  it('stops queries to an unavailable Placement', async () => {
    const { cloud, calls } = fakeCloud({
      hypervisors: Array.from({ length: 200 }, (_, i) => hypervisor(`h${String(i).padStart(3, '0')}`)),
      inventories: () => Promise.reject(new Error('503')),
    });
    cloud.placement.getAllocations = () => Promise.reject(new Error('503'));
    const snapshot = await collectComputeModel(cloud, { clock, concurrency: 4 });
    expect(calls.inventories).toBeLessThan(30);
    expect(snapshot.complete).toBe(false);
    expect(snapshot.hostInfo).toHaveLength(200);
  });

  it('notes listings that are missing and rejects without servers', async () => {
    const { cloud } = fakeCloud({ servicesFail: true });
    const snapshot = await collectComputeModel(cloud, { clock });
    expect(snapshot.gaps).toEqual(['compute services could not be listed: no services today']);
    await expect(collectComputeModel(fakeCloud({ serversFail: true }).cloud, { clock })).rejects.toThrow(
      'Nova is down',
    );
  });

  it('says when the server groups are not known, so that no instance is moved', async () => {
    const { groupsUnknown, gaps } = await collectComputeModel(fakeCloud({ groupsFail: true }).cloud, { clock });
    expect([groupsUnknown, gaps]).toEqual([true, ['server groups could not be listed: no groups today']]);
    expect((await collectComputeModel(fakeCloud({}).cloud, { clock })).groupsUnknown).toBeUndefined();
  });

  describe('cells', () => {
    const cellOf = parseCells(['paris=pa-*|mm1', ' rome=ro-*']);
    const service = (host: string, unreachable?: true): ComputeService => {
      const common = { id: host, host, binary: 'nova-compute', zone: '', status: 'enabled' as const };
      return { ...common, state: 'down', forcedDown: false, disabledReason: null, ...(unreachable && { unreachable }) };
    };

    it('names the cell that cannot be read, and omits its unknown servers', async () => {
      const { cloud } = fakeCloud({
        services: [service('a'), service('pa-1', true), service('mm1', true), service('x', true)],
        servers: [server('s1', 'a'), { ...server('s2', 'a'), status: 'UNKNOWN', vmState: '', host: null }],
      });
      const snapshot = await collectComputeModel(cloud, { clock, cellOf });
      expect(snapshot.complete).toBe(false);
      expect(snapshot.gaps.slice(0, 3)).toEqual([
        'the cell paris of Nova cannot be read: hosts pa-1, mm1',
        'a cell of Nova cannot be read: hosts x',
        '1 servers are in a cell of Nova that cannot be read',
      ]);
      expect(snapshot.instanceInfo.map(({ uuid }) => uuid)).toEqual(['s1']);
    });

    it('counts the hosts of each', () => {
      const hosts = ['pa-1', 'pa-2', 'ro-1', 'pax', 'elsewhere'].map((hostname) => ({ hostname }));
      expect(hostsByCell(hosts, cellOf)).toEqual({ cell_paris: 2, cell_rome: 1 });
      expect(() => parseCells(['paris'])).toThrow(OperatorError);
    });
  });

  it('rejects when its signal fires', async () => {
    const abort = new AbortController();
    const { cloud } = fakeCloud({
      inventories: () => {
        abort.abort(new Error('stopping'));
        return Promise.reject(new Error('cut'));
      },
    });
    await expect(collectComputeModel(cloud, { clock, signal: abort.signal })).rejects.toThrow('stopping');
  });
});
